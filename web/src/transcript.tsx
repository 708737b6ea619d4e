import { type ComponentChildren, type JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Here, Nothing, Wrong, useApp } from "./app";
import { Rows, type RowsControl } from "./rows";
import { Marked, Own } from "./text";
import type { LinePage, LineRow, PartRow, RunHead } from "./types";
import { label, number, say } from "./words";

const CHUNK = 400;
const SHOWN = 1500;
// Of a document and of calls of tools only how they begin: there are pages for them. What nobody heard is not the record.
const BEGUN = 260;
const UNHEARD = 420;
const HUES = 8;

export interface RunLines {
  total: number;
  error: unknown;
  at: (n: number) => LineRow | undefined;
  need: (first: number, last: number) => void;
  first: number;
  look: (first: number) => void;
}

/** The lines of a transcript by ranges, as far as it was looked at; the last range anew when the run has grown. */
export function useLines(head: RunHead): RunLines {
  const { source } = useApp();
  const chunks = useRef(new Map<number, LineRow[]>());
  const asked = useRef(new Map<number, number>());
  const [, redraw] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const [first, look] = useState(0);
  const ask = (chunk: number): void => {
    const want = source.live ? Math.min(CHUNK, head.lines - chunk * CHUNK) : head.lines;
    if (want <= 0 || (asked.current.get(chunk) ?? 0) >= want) return;
    asked.current.set(chunk, want);
    source.get<LinePage>(`run/${head.id}/lines`, source.live ? { from: chunk * CHUNK, count: CHUNK } : {}).then(
      (got) => {
        for (let from = 0; from < got.lines.length; from += CHUNK) {
          chunks.current.set(chunk + from / CHUNK, got.lines.slice(from, from + CHUNK));
          asked.current.set(chunk + from / CHUNK, Math.min(CHUNK, got.lines.length - from));
        }
        setError(null);
        redraw((n) => n + 1);
      },
      (reason: unknown) => {
        asked.current.delete(chunk);
        setError(reason);
      },
    );
  };
  return {
    total: head.lines,
    error,
    at: (n) => chunks.current.get(Math.floor(n / CHUNK))?.[n % CHUNK],
    need: (from, to) => {
      for (let chunk = Math.floor(Math.max(0, from) / CHUNK); chunk * CHUNK <= to; chunk++) ask(chunk);
    },
    first,
    look,
  };
}

interface TranscriptProps {
  head: RunHead;
  lines: RunLines;
  control: { current: RowsControl | null };
  turn: number;
  line: number;
  find: string;
}

export function Transcript({ head, lines, control, turn, line, find }: TranscriptProps): JSX.Element {
  const range = useRef<[number, number]>([0, 40]);
  useEffect(() => lines.need(...range.current), [head.lines]);
  const hue = new Map(head.people.map((person, n) => [person.id, n % HUES]));
  const parts = new Map(head.parts.map((part) => [part.line, part]));
  const names = new Map(head.people.map((person) => [person.id, person.title || person.id]));
  return (
    <section class="transcript" aria-label={say("transcript")} lang={head.locale}>
      {lines.error === null ? null : <Wrong error={lines.error} />}
      <Rows
        count={lines.total}
        guess={96}
        role="feed"
        label={say("transcript")}
        control={control}
        follow={head.live}
        rowKey={(n) => n}
        onRange={(first, last) => {
          range.current = [first, last];
          lines.need(first, last);
          lines.look(first + 2);
        }}
        row={(n) => (
          <Row line={lines.at(n)} n={n} all={lines.total} now={n === line || (turn > 0 && lines.at(n)?.turn === turn && lines.at(n)?.kind === "call")} find={find} hue={hue} names={names} parts={parts} />
        )}
        empty={<Nothing why="no_lines" />}
      />
    </section>
  );
}

interface RowProps {
  line: LineRow | undefined;
  n: number;
  all: number;
  now: boolean;
  find: string;
  hue: ReadonlyMap<string, number>;
  names: ReadonlyMap<string, string>;
  parts: ReadonlyMap<number, PartRow>;
}

function Row({ line, n, all, now, find, hue, names, parts }: RowProps): JSX.Element {
  const place = { "aria-posinset": n + 1, "aria-setsize": all };
  const part = parts.get(n);
  if (line === undefined) return <article {...place} class="said waiting" aria-busy="true">…</article>;
  if (line.kind === "stage" || line.kind === "phase") {
    return (
      <article {...place} class={`part ${line.kind}`}>
        <h2><Own text={part?.title || line.text || line.place} />{(part?.again ?? 0) > 0 ? <> {say("again_n", { n: (part?.again ?? 0) + 1 })}</> : null}</h2>
        {(part?.basis ?? []).length === 0 ? null : <p><Own text={(part?.basis ?? []).join(say("between"))} /></p>}
        {line.day === "" ? null : <time>{line.day}</time>}
      </article>
    );
  }
  if (line.kind === "event") {
    return (
      <article {...place} class={`event ${now ? "now" : ""}`}>
        <p><Marked text={line.text || label("event", line.event)} find={find} /></p>
      </article>
    );
  }
  return <Said line={line} place={place} now={now} find={find} hue={hue.get(line.person) ?? 0} names={names} />;
}

function Said({ line, place, now, find, hue, names }: { line: LineRow; place: object; now: boolean; find: string; hue: number; names: ReadonlyMap<string, string> }): JSX.Element {
  const { set } = useApp();
  const pick = (event: MouseEvent): void => {
    const target = event.target as HTMLElement;
    if (target.closest("a, button") !== null || getSelection()?.isCollapsed === false) return;
    set({ t: line.turn, line: null, cite: null }, true);
  };
  const quiet = !line.said;
  return (
    <article {...place} class={`said ${now ? "now" : ""} ${quiet ? "quiet" : ""} ${line.struck ? "struck" : ""}`} data-hue={hue} data-turn={line.turn} onClick={pick}>
      <header>
        <Here changes={{ t: line.turn, line: null, cite: null }} class="n" current={now} title={say("turn_n", { n: line.turn })}>
          {number(line.turn)}
        </Here>
        <b class="who"><Own text={line.speaker || line.role} /></b>
        <span class="act">{label("act", line.act)}</span>
      </header>
      <div class="words">
        <p>
          <Cited line={line} find={find} />
        </p>
        <Marks line={line} names={names} />
      </div>
    </article>
  );
}

/** Each name once, with how often it stands there. */
function counted(names: readonly string[]): string {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return [...times].map(([name, count]) => (count > 1 ? `${name} × ${number(count)}` : name)).join(say("between"));
}

/** What is said of some words beside them: to whom, what came of them. Little of it, and nothing where there is nothing. */
function Marks({ line, names }: { line: LineRow; names: ReadonlyMap<string, string> }): JSX.Element | null {
  const list = (ids: readonly string[]): string => ids.map((id) => names.get(id) ?? id).join(say("between"));
  const marks: ComponentChildren[] = [];
  if (!line.said && line.calls.length === 0) marks.push(<span>{say("unheard")}</span>);
  if (line.asked !== "") marks.push(<span>{say(`asked_${line.asked}`)}</span>);
  if (line.calls.length > 0) marks.push(<span>{say("calls", { names: counted(line.calls) })}</span>);
  if (line.to.length > 0) marks.push(<span>{say("said_to", { names: list(line.to) })}</span>);
  if (line.confined) marks.push(<span>{say("heard_by", { names: list(line.heard_by) })}</span>);
  if (line.withheld.length > 0) marks.push(<span>{say("taken_from", { names: list(line.withheld) })}</span>);
  if (line.struck) marks.push(<span>{say("struck")}</span>);
  if (line.doc !== "") marks.push(<Here changes={{ doc: line.doc }}>{say("open_document")}</Here>);
  if (line.conduct > 0) marks.push(<Here changes={{ t: line.turn, show: "tools" }} class="warn">{say("n_conduct", { n: line.conduct })}</Here>);
  if (line.scored > 0) marks.push(<Here changes={{ t: line.turn, show: "scores" }}>{say("n_scored", { n: line.scored })}</Here>);
  return marks.length === 0 ? null : <p class="marks">{marks.map((mark) => <span>{mark}</span>)}</p>;
}

/** The words of a line with what they cite as links; of a long one its beginning. */
function Cited({ line, find }: { line: LineRow; find: string }): JSX.Element {
  const [whole, setWhole] = useState(false);
  const room = line.doc !== "" || line.calls.length > 0 ? BEGUN : line.said ? SHOWN : UNHEARD;
  const clipped = !whole && line.text.length > room * 1.2;
  const text = clipped ? line.text.slice(0, room) : line.text;
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (const mark of [...line.cites].sort((one, other) => one.start - other.start)) {
    if (mark.start < from || mark.end > text.length) continue;
    parts.push(<Marked text={text.slice(from, mark.start)} find={find} />);
    parts.push(
      <Here changes={{ cite: mark.citation }} class="cite">
        <Marked text={text.slice(mark.start, mark.end)} find={find} />
      </Here>,
    );
    from = mark.end;
  }
  parts.push(<Marked text={text.slice(from)} find={find} />);
  return (
    <>
      {parts}
      {clipped ? (
        <button type="button" class="more" onClick={() => setWhole(true)}>{say("more_text", { rest: line.length - room })}</button>
      ) : line.length > line.text.length ? (
        <Here changes={{ t: line.turn, show: "reply" }} class="more">{say("whole_text", { all: line.length })}</Here>
      ) : null}
    </>
  );
}
