import { type JSX } from "preact";
import { Here, Nothing, Waiting, Wrong, useApp } from "./app";
import { useGot } from "./hooks";
import { Own } from "./text";
import type { CellRef, Json, RunHead, SeenField, SightPage, TakenBack, UnseenField } from "./types";
import { Value } from "./values";
import { label, say, told } from "./words";

/** What somebody saw at a call and why, what was new, what was taken back, and what he did not see and why not. */
export function Seen({ head, turn }: { head: RunHead; turn: number }): JSX.Element {
  const { source } = useApp();
  const got = useGot(() => source.get<SightPage>(`run/${head.id}/sight/${turn}`), [head.id, turn]);
  if (got.state === "waiting") return <Waiting />;
  if (got.state === "failed") return <Wrong error={got.error} />;
  const sight = got.value;
  const fresh = sight.fields.filter((field) => field.fresh !== "");
  return (
    <>
      <p class="soft walk">
        <Own text={sight.speaker} />
        {sight.letter === "" ? null : <> · {say("letter", { letter: sight.letter })}</>}
        {sight.today === "" ? null : <> · {say("today", { day: sight.today })}</>}
        {sight.before > 0 ? <> · <Here changes={{ t: sight.before }}>{say("own_before", { n: sight.before })}</Here></> : null}
        {sight.next > 0 ? <> · <Here changes={{ t: sight.next }}>{say("own_after", { n: sight.next })}</Here></> : null}
      </p>
      {fresh.length === 0 || sight.before === 0 ? null : (
        <p class="fresh-list">
          <b>{say("new_here")}</b> {fresh.map((field) => field.state.title || field.state.name).join(say("between"))}
        </p>
      )}
      {sight.back.length === 0 ? null : (
        <section>
          <h3>{say("taken_back")}</h3>
          <ul class="fields">{sight.back.map((one) => <Back one={one} />)}</ul>
        </section>
      )}
      <section>
        <h3>{say("seen_n", { n: sight.fields.length })}</h3>
        {sight.fields.length === 0 ? <Nothing why="nothing_seen" /> : null}
        <ul class="fields">{sight.fields.map((field) => <SeenRow field={field} first={sight.before === 0} />)}</ul>
      </section>
      {sight.unseen.length === 0 ? null : (
        <section>
          <h3>{say("unseen_n", { n: sight.unseen.length })}</h3>
          <ul class="fields">{sight.unseen.map((field) => <UnseenRow field={field} />)}</ul>
        </section>
      )}
    </>
  );
}

function Name({ name, whose, title }: { name: string; whose: string; title: string }): JSX.Element {
  return (
    <>
      <b><Own text={title || name} /></b>{" "}
      <code><Own text={whose === "" || whose === "all" ? name : `${name} ${whose}`} /></code>
    </>
  );
}

function SeenRow({ field, first }: { field: SeenField; first: boolean }): JSX.Element {
  const { state } = field;
  return (
    <li>
      <details>
        <summary>
          <Name {...state} />
          {field.fresh === "" || first ? null : <span class={`tag ${field.fresh}`}>{say(`fresh_${field.fresh}`)}</span>}
          <span class="written">{field.cells.map((cell) => <Own text={`${cell.file.slice(cell.file.lastIndexOf("/") + 1)}:${cell.line}`} />)}</span>
        </summary>
        <p class="reason"><Own text={told(field.reason)} /></p>
        <Cells cells={field.cells} />
        <p class="soft">
          {field.opened > 0 ? <Here changes={{ t: field.opened }}>{say("opened", { n: field.opened })}</Here> : null}
          {field.since > 0 && field.since !== field.opened ? <> · <Here changes={{ t: field.since }}>{say("since", { n: field.since })}</Here></> : null}
        </p>
        {state.entries.map((entry) => <Entry entry={entry} />)}
      </details>
    </li>
  );
}

/** An entry of a field: who it is of, then its value, then what else is known of it. */
function Entry({ entry }: { entry: Readonly<Record<string, Json>> }): JSX.Element {
  const { value = null, ...rest } = entry;
  const others = Object.entries(rest).filter(([, one]) => one !== null && one !== "" && !(Array.isArray(one) && one.length === 0));
  return (
    <div class="entry">
      <div class="entry-value"><Value value={value} /></div>
      {others.length === 0 ? null : <div class="soft"><Value value={Object.fromEntries(others)} /></div>}
    </div>
  );
}

/** The cells of the matrix that open a field, each with the place where it is written. */
export function Cells({ cells }: { cells: readonly CellRef[] }): JSX.Element | null {
  if (cells.length === 0) return null;
  return (
    <ul class="cells">
      {cells.map((cell) => (
        <li>
          <code><Own text={cell.text} /></code>
          <span class="soft"><Own text={`${cell.file}:${cell.line}`} /></span>
          {cell.restrictions.map((one) => <p><Own text={told(one)} /></p>)}
        </li>
      ))}
    </ul>
  );
}

function UnseenRow({ field }: { field: UnseenField }): JSX.Element {
  return (
    <li class="unseen">
      <details open={false}>
        <summary>
          <Name {...field} />
          <span class="reason"><Own text={told(field.reason)} /></span>
        </summary>
        <p class="soft">{label("reason", field.code)}</p>
        <Cells cells={field.cells} />
      </details>
    </li>
  );
}

function Back({ one }: { one: TakenBack }): JSX.Element {
  return (
    <li class="back">
      <Name name={one.name} whose={one.whose} title={one.title} />
      <span class="reason"><Own text={told(one.reason)} /></span>
      <p class="soft">
        {one.turn > 0 ? <Here changes={{ t: one.turn }}>{say("last_seen", { n: one.turn })}</Here> : null}
        {one.turns.map((turn) => <> <Here changes={{ t: turn }}>{say("turn_n", { n: turn })}</Here></>)}
      </p>
    </li>
  );
}
