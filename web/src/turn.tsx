import { type JSX } from "preact";
import { useState } from "preact/hooks";
import { Here, Nothing, Waiting, Wrong, useApp } from "./app";
import { useGot } from "./hooks";
import { Score, ToolCall, Violation } from "./record";
import { Long, Own } from "./text";
import type { CameRow, ConductList, MemoryPage, Prompt, PromptMessage, RunHead, ScoreList, ToolCallRow, ToolList, TurnPage, WordsPage } from "./types";
import { Changes, Fact, Value } from "./values";
import { amount, label, say, told } from "./words";

// ---- the prompt ------------------------------------------------------------------------------------------------------

export function PromptPane({ head, turn }: { head: RunHead; turn: number }): JSX.Element {
  const { source } = useApp();
  const got = useGot(() => source.get<Prompt>(`run/${head.id}/prompt/${turn}`), [head.id, turn]);
  if (got.state === "waiting") return <Waiting />;
  if (got.state === "failed") return <Wrong error={got.error} />;
  const { messages, included, tools } = got.value;
  const begun = messages.findIndex((message) => message.added);
  return (
    <>
      {begun > 0 ? (
        <details class="folded">
          <summary>{say("n_earlier", { n: begun })}</summary>
          {messages.slice(0, begun).map((message) => <Message message={message} included={included} open={false} />)}
        </details>
      ) : null}
      {begun > 0 ? <p class="divide">{say("added_here")}</p> : null}
      {messages.slice(Math.max(begun, 0)).map((message) => <Message message={message} included={included} open />)}
      {tools.length === 0 ? null : (
        <section>
          <h3>{say("offered")}</h3>
          {tools.map((tool) => <div class="entry"><Value value={tool} /></div>)}
        </section>
      )}
    </>
  );
}

function Message({ message, included, open }: { message: PromptMessage; included: Prompt["included"]; open: boolean }): JSX.Element {
  return (
    <details class={`message ${message.role}`} open={open}>
      <summary>
        <b>{label("message", message.role)}</b>
        <span class="soft">{say("characters", { n: message.content.length })}</span>
      </summary>
      {message.parts.length === 0 ? (
        <p class="sent"><Long text={message.content} /></p>
      ) : (
        message.parts.map((part) => (
          <section class="prompt-part">
            <h4>
              <code><Own text={part.file === "" ? part.home : part.line > 0 ? `${part.file}:${part.line}` : part.file} /></code>
              {(included[part.home] ?? []).length === 0 ? null : (
                <span class="soft">{say("includes", { names: (included[part.home] ?? []).join(say("between")) })}</span>
              )}
            </h4>
            <p class="sent"><Long text={part.text} /></p>
          </section>
        ))
      )}
      <Calls calls={message.calls} />
    </details>
  );
}

function Calls({ calls }: { calls: readonly ToolCallRow[] }): JSX.Element | null {
  if (calls.length === 0) return null;
  return (
    <ul class="plainlist">
      {calls.map((call) => (
        <li><b><Own text={call.name} /></b> <code><Long text={call.arguments} first={800} /></code></li>
      ))}
    </ul>
  );
}

// ---- the reply -------------------------------------------------------------------------------------------------------

export function ReplyPane({ head, page }: { head: RunHead; page: TurnPage }): JSX.Element {
  const { row } = page;
  return (
    <>
      {row.answered ? null : <Nothing why="no_reply" />}
      {row.thought === "" ? null : (
        <details class="message">
          <summary><b>{say("thought")}</b></summary>
          <p class="sent"><Long text={row.thought} /></p>
        </details>
      )}
      <section>
        <h3>{say("as_written")}</h3>
        {row.cut ? <p class="problem warning">{say("cut_short")}</p> : null}
        <p class="sent serif"><Long text={row.reply} first={20_000} /></p>
        <Calls calls={row.calls} />
      </section>
      {page.kept === null ? null : (
        <section>
          <h3>{say("as_kept")}</h3>
          <p class="sent"><Long text={page.kept} /></p>
        </section>
      )}
      {row.heard === null || row.heard === row.reply ? null : (
        <section>
          <h3>{say("as_heard")}</h3>
          <p class="sent serif"><Long text={row.heard} first={20_000} /></p>
        </section>
      )}
      {page.reads === null ? null : <p><Own text={told(page.reads)} /></p>}
      {page.came.length === 0 ? null : (
        <section>
          <h3>{say("came_of_it")}</h3>
          {page.came.map((event) => <Came event={event} />)}
        </section>
      )}
      <section>
        <h3>{say("about_reply")}</h3>
        <dl class="value">
          {row.model === "" ? null : <Fact name={say("by_model")}><Own text={row.model} /></Fact>}
          {row.by === "" ? null : <Fact name={say("by_reader")}><Own text={row.by} /></Fact>}
          <Fact name={say("tokens_in_out")}>{`${amount(row.prompt_tokens)} / ${amount(row.completion_tokens)}`}</Fact>
          {page.seconds === null ? null : <Fact name={say("seconds")}>{amount(page.seconds)}</Fact>}
          {row.spoken_from.length === 0 ? null : (
            <Fact name={say("spoken_from")}>{row.spoken_from.map((file) => <div><code><Own text={file} /></code></div>)}</Fact>
          )}
          {page.step === null ? null : (
            <Fact name={say("step")}>
              <code><Own text={`${page.step.file}:${page.step.line}`} /></code>
              <pre class="spec"><Own text={page.step.text} /></pre>
            </Fact>
          )}
          <Fact name={say("place")}><code><Own text={row.place} /></code></Fact>
          {Object.keys(row.reckoned).length === 0 ? null : <Fact name={say("reckoned")}><Value value={row.reckoned} /></Fact>}
          {row.provider_data === "" ? null : <Fact name={say("provider_data")}><code><Long text={row.provider_data} first={600} /></code></Fact>}
        </dl>
        <Whole head={head} page={page} />
      </section>
    </>
  );
}

/** What of a long reply did not come with the page, asked for piece by piece. */
function Whole({ head, page }: { head: RunHead; page: TurnPage }): JSX.Element | null {
  const { source } = useApp();
  const [more, setMore] = useState<{ text: string; length: number } | null>(null);
  const have = page.row.reply.length + (more?.text.length ?? 0);
  if (!page.row.answered || (more !== null && have >= more.length)) return more === null ? null : <p class="sent serif"><Long text={more.text} /></p>;
  const ask = (): void => {
    source.get<WordsPage>(`run/${head.id}/words/${page.turn}`, { from: have }).then(
      (got) => setMore({ text: (more?.text ?? "") + got.text, length: got.length }),
      () => undefined,
    );
  };
  if (page.row.reply.length < 20_000) return null;
  return (
    <>
      {more === null ? null : <p class="sent serif"><Long text={more.text} /></p>}
      <button type="button" class="more" onClick={ask}>{say("go_on")}</button>
    </>
  );
}

function Came({ event }: { event: CameRow }): JSX.Element {
  return (
    <details class="came">
      <summary>{label("event", event.kind)}</summary>
      <Value value={event.data} />
    </details>
  );
}

// ---- memory ----------------------------------------------------------------------------------------------------------

export function MemoryPane({ head, turn }: { head: RunHead; turn: number }): JSX.Element {
  const { source } = useApp();
  const got = useGot(() => source.get<MemoryPage>(`run/${head.id}/memory/${turn}`), [head.id, turn]);
  if (got.state === "waiting") return <Waiting />;
  if (got.state === "failed") return <Wrong error={got.error} />;
  const { kept, fields, changes } = got.value;
  if (!kept) return <Nothing why="keeps_none" />;
  return (
    <>
      <section>
        <h3>{say("memory_now")}</h3>
        {fields.length === 0 ? <Nothing why="memory_empty" /> : null}
        {fields.map((field) => (
          <div class="entry">
            <h4><Own text={field.title || field.name} /></h4>
            {field.text === "" ? null : <p class="sent serif"><Long text={field.text} /></p>}
            {field.records.length === 0 ? null : <Value value={field.records} />}
            {field.text === "" && field.records.length === 0 ? <span class="soft">–</span> : null}
          </div>
        ))}
      </section>
      {changes.length === 0 ? null : (
        <section>
          <h3>{say("memory_changes")}</h3>
          {[...changes].reverse().map((change) => (
            <details>
              <summary>
                <Here changes={{ t: change.turn }}>{say("turn_n", { n: change.turn })}</Here> · <Own text={change.stage_title || change.place} /> ·{" "}
                <Own text={change.title || change.field} /> <span class="tag">{label("how", change.how)}</span>
              </summary>
              <Changes lines={change.lines} />
            </details>
          ))}
        </section>
      )}
    </>
  );
}

// ---- tools, scores ---------------------------------------------------------------------------------------------------

export function TurnTools({ head, page }: { head: RunHead; page: TurnPage }): JSX.Element {
  const { source } = useApp();
  const tools = useGot(() => source.get<ToolList>(`run/${head.id}/tools`), [head.id, head.lines]);
  const conduct = useGot(head.has.includes("conduct") ? () => source.get<ConductList>(`run/${head.id}/conduct`) : null, [head.id, head.lines]);
  if (tools.state === "waiting") return <Waiting />;
  if (tools.state === "failed") return <Wrong error={tools.error} />;
  const calls = tools.value.calls.filter((call) => call.turn === page.turn);
  const broken = conduct.state === "got" ? conduct.value.violations.filter((one) => one.turn === page.turn) : [];
  return (
    <>
      {calls.length === 0 ? <Nothing why="no_tools_here" /> : calls.map((call) => <ToolCall call={call} />)}
      {broken.length === 0 ? null : (
        <section>
          <h3>{say("show_conduct")}</h3>
          {broken.map((one) => <Violation one={one} />)}
        </section>
      )}
    </>
  );
}

export function TurnScores({ head, turn }: { head: RunHead; turn: number }): JSX.Element {
  const { source } = useApp();
  const got = useGot(() => source.get<ScoreList>(`run/${head.id}/scores`), [head.id]);
  if (got.state === "waiting") return <Waiting />;
  if (got.state === "failed") return <Wrong error={got.error} />;
  const rows = got.value.evaluations.flatMap((evaluation, of) => evaluation.scores.map((one, n) => ({ evaluation, one, place: `${of}.${n}` })).filter(({ one }) => one.turns.includes(turn)));
  if (rows.length === 0) return <Nothing why="no_scores_here" />;
  return (
    <>
      {rows.map(({ evaluation, one, place }) => (
        <>
          <p class="soft"><Own text={[evaluation.title || evaluation.rubric, evaluation.grader].filter((text) => text !== "").join(" · ")} /></p>
          <Score score={one} head={head} place={place} />
        </>
      ))}
    </>
  );
}
