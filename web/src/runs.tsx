import { type JSX } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Link, Nothing, Problems, Waiting, Wrong, useApp } from "./app";
import { WIDE, useGot, useMedia } from "./hooks";
import { Rows } from "./rows";
import { Own } from "./text";
import type { Grew, ProcedureList, RunList, RunListRow, SaidHit, SaidList } from "./types";
import { amount, label, money, number, say, score } from "./words";

const CHUNK = 200;
const HITS = 500;
const WATCHED = 20;
const AGAIN = 900; // milliseconds
const FILTERS = ["procedure", "case", "model", "status"] as const;
const COLUMNS = ["case", "model", "status", "turns", "tokens"] as const;
const ASKED = ["where", "status", "procedure", "case", "model", "sort"] as const;

/** The list of runs by ranges, as far as it was looked at. */
function useRuns(query: Readonly<Record<string, string>>, round: number): {
  list: RunList | null;
  error: unknown;
  at: (n: number) => RunListRow | undefined;
  need: (first: number, last: number) => void;
} {
  const { source } = useApp();
  const name = JSON.stringify([query, round]);
  const chunks = useRef({ name, rows: new Map<number, RunListRow[]>(), asked: new Set<number>() });
  const [list, setList] = useState<RunList | null>(null);
  const [error, setError] = useState<unknown>(null);
  const ask = useCallback(
    (chunk: number): void => {
      const mine = chunks.current;
      if (mine.asked.has(chunk)) return;
      mine.asked.add(chunk);
      source.get<RunList>("runs", source.live ? { ...query, from: chunk * CHUNK, count: CHUNK } : {}).then(
        (got) => {
          if (chunks.current !== mine) return;
          const rows = source.live ? got.rows : chosen(got.rows, query).slice(chunk * CHUNK, (chunk + 1) * CHUNK);
          mine.rows.set(chunk, rows);
          setList(source.live ? got : { ...got, total: chosen(got.rows, query).length });
          setError(null);
        },
        (reason: unknown) => {
          mine.asked.delete(chunk);
          if (chunks.current === mine) setError(reason);
        },
      );
    },
    [name, source],
  );
  useEffect(() => {
    chunks.current = { name, rows: chunks.current.rows, asked: new Set() };
    const old = chunks.current.rows;
    chunks.current.rows = new Map(old); // what was there stays to be seen until the new comes
    ask(0);
  }, [name, ask]);
  return {
    list,
    error,
    at: (n) => chunks.current.rows.get(Math.floor(n / CHUNK))?.[n % CHUNK],
    need: (first, last) => {
      for (let chunk = Math.floor(Math.max(0, first) / CHUNK); chunk * CHUNK <= last; chunk++) ask(chunk);
    },
  };
}

/** Which runs are listed where no server says it: those whose columns are as asked, in the order asked for. */
function chosen(rows: readonly RunListRow[], query: Readonly<Record<string, string>>): RunListRow[] {
  const kept = rows.filter((row) => FILTERS.every((name) => (query[name] ?? row[name]) === row[name]));
  const sort = query["sort"] ?? "";
  const key = sort.replace(/^-/, "") as keyof RunListRow;
  if (sort === "") return kept;
  const sign = sort.startsWith("-") ? -1 : 1;
  const value = (row: RunListRow): string | number => (row[key] as string | number | null) ?? -1;
  return kept.sort((one, other) => sign * (value(one) < value(other) ? -1 : value(one) > value(other) ? 1 : 0));
}

export function RunsPage(): JSX.Element {
  const { source, route, set } = useApp();
  const { params } = route;
  const query = useMemo(
    () => Object.fromEntries(ASKED.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]]))),
    [ASKED.map((name) => params[name]).join("\u0000")],
  );
  const [round, setRound] = useState(0);
  const [grown, setGrown] = useState<Readonly<Record<string, Grew>>>({});
  const { list, error, at, need } = useRuns(query, round);
  const wide = useMedia(WIDE);
  const [folded, setFolded] = useState(FILTERS.some((one) => params[one] !== undefined));
  const words = params["said"] ?? "";
  const [near, setNear] = useState<[number, number]>([0, -1]);

  const live = useMemo(() => {
    const ids: string[] = [];
    for (let n = near[0]; n <= near[1] && ids.length < WATCHED; n++) {
      const row = at(n);
      if (row?.live === true) ids.push(row.id);
    }
    return ids;
  }, [near, list]);
  useEffect(
    () =>
      source.follow({ runs: live, list: true }, (news) => {
        if (news.kind === "run") setGrown((before) => ({ ...before, [news.data.run]: news.data }));
        else setRound((n) => n + 1);
      }),
    [source, live.join("\n")],
  );
  // What is still read from the disk comes bit by bit.
  useEffect(() => {
    if (list?.writing !== true) return undefined;
    const timer = setTimeout(() => setRound((n) => n + 1), AGAIN);
    return () => clearTimeout(timer);
  }, [list]);
  useEffect(() => {
    document.title = `${say("runs")} · LegalWorld`;
  });

  const sort = params["sort"] ?? "";
  const order = (name: string): JSX.Element => {
    const now = sort === name ? "ascending" : sort === `-${name}` ? "descending" : "none";
    const next = now === "none" ? name : now === "ascending" ? `-${name}` : null;
    return (
      <span role="columnheader" aria-sort={now} class={`c-${name}`}>
        <button type="button" class="plain" onClick={() => set({ sort: next })}>
          {label("column", name)}
          <i aria-hidden="true">{now === "ascending" ? "↑" : now === "descending" ? "↓" : ""}</i>
        </button>
      </span>
    );
  };

  return (
    <div class="page runs-page">
      <h1>{say("runs")}</h1>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        {source.live ? <Asked name="said" wide /> : null}
        {wide ? null : (
          <button type="button" class="linklike" aria-expanded={folded} onClick={() => setFolded(!folded)}>{say("filters")}</button>
        )}
        {(wide || folded ? FILTERS : []).map((name) => (
          <label key={name}>
            <span>{label("column", name)}</span>
            <select value={params[name] ?? ""} onChange={(event) => set({ [name]: event.currentTarget.value })}>
              <option value="">{say("any")}</option>
              {(list?.choices[name] ?? []).map((value) => (
                <option value={value}>{name === "status" ? label("status", value) : value}</option>
              ))}
            </select>
          </label>
        ))}
        {source.live && (wide || folded) ? <Asked name="where" /> : null}
      </form>
      {source.live ? <Procedures /> : null}
      {error === null ? null : <Wrong error={error} />}
      {list === null ? null : <Problems problems={list.problems} />}
      {words !== "" ? (
        <Found words={words} />
      ) : list === null ? (
        error === null ? <Waiting /> : null
      ) : (
        <>
          <p class="counted" role="status">
            {say("runs_counted", { count: list.total })}
            {list.damaged > 0 ? ` · ${say("runs_damaged", { count: list.damaged })}` : ""}
          </p>
          <div class="table" role="table" aria-label={say("runs")} aria-rowcount={list.total + 1}>
            <div class="run-line heads" role="row">
              {order("procedure")}
              {COLUMNS.map(order)}
              {list.figures.map(order)}
            </div>
            <Rows
              count={list.total}
              guess={58}
              role="rowgroup"
              label={say("runs")}
              rowKey={(n) => at(n)?.id ?? n}
              onRange={(first, last) => {
                need(first, last);
                setNear([first, last]);
              }}
              row={(n) => <RunLine row={at(n)} grown={grown} figures={list.figures} place={n} />}
              empty={<Nothing why="no_runs" />}
            />
          </div>
        </>
      )}
    </div>
  );
}

function RunLine({ row, grown, figures, place }: { row: RunListRow | undefined; grown: Readonly<Record<string, Grew>>; figures: readonly string[]; place: number }): JSX.Element {
  if (row === undefined) return <div class="run-line" role="row" aria-rowindex={place + 2}><span role="cell">…</span></div>;
  const now = grown[row.id];
  const live = now?.live ?? row.live;
  const status = now?.status ?? row.status;
  return (
    <div class="run-line" role="row" aria-rowindex={place + 2}>
      <span role="cell" class="c-procedure">
        <Link to={{ page: "run", id: row.id, params: {} }}>
          <Own text={row.procedure_title || row.procedure || row.id} />
        </Link>
        <small>
          <Own text={row.id} />
        </small>
      </span>
      <span role="cell" class="c-case">
        <Own text={row.case_title || row.case} />
        {row.case_title === "" ? null : <small><Own text={row.case} /></small>}
      </span>
      <span role="cell" class="c-model"><Own text={row.model || played(row.models)} /></span>
      <span role="cell" class="c-status">
        <Status status={status} live={live} />
        <small>
          <Own text={status === "ended" ? row.ending || row.outcome : (now?.place ?? row.place)} />
        </small>
      </span>
      <span role="cell" class="c-turns num">{status === "damaged" ? "–" : number(now?.turns ?? row.turns)}<em> {say("unit_turns")}</em></span>
      <span role="cell" class="c-tokens num">
        {amount(now?.tokens ?? row.tokens)}<em> {say("unit_tokens")}</em>
        {now === undefined || now.cost === null ? null : <small>{money(now.cost)}</small>}
      </span>
      {figures.map((name, n) => (
        <span role="cell" class="num" key={name}>{score(row.figures[n] ?? null)}</span>
      ))}
    </div>
  );
}

/** Who played where no role is under test: each model once. */
const played = (models: string): string => [...new Set(models.split(", ").map((one) => one.slice(one.indexOf("=") + 1)))].join(say("between"));

export function Status({ status, live }: { status: string; live: boolean }): JSX.Element {
  return <span class={`status ${live ? "live" : status}`}>{live ? say("live") : label("status", status)}</span>;
}

/** The procedures that can be looked at, folded and asked for when opened: they are many, and each is checked first. */
function Procedures(): JSX.Element {
  const { source } = useApp();
  const [open, setOpen] = useState(false);
  const got = useGot(open ? () => source.get<ProcedureList>("procedures") : null, [open]);
  return (
    <details class="procedures" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{say("procedures")}</summary>
      {!open ? null : got.state === "waiting" ? <Waiting /> : got.state === "failed" ? <Wrong error={got.error} /> : (
        <ul>
          {got.value.procedures.map((one) => (
            <li>
              <Link to={{ page: "procedure", id: one.name, params: {} }}><Own text={one.title || one.name} /></Link>{" "}
              <span class="soft"><Own text={one.name} />{one.runs > 0 ? <> · {say("runs_counted", { count: one.runs })}</> : null}</span>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

/** A field whose words go into the address a moment after the last of them was typed. */
function Asked({ name, wide = false }: { name: string; wide?: boolean }): JSX.Element {
  const { route, set } = useApp();
  const value = route.params[name] ?? "";
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => set({ [name]: text }), 300);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label class={wide ? "wide" : ""}>
      <span>{say(`ask_${name}`)}</span>
      <input type="search" value={text} placeholder={say(`hint_${name}`)} spellcheck={false} onInput={(event) => setText(event.currentTarget.value)} />
    </label>
  );
}

/** Where words were spoken, in all runs. */
function Found({ words }: { words: string }): JSX.Element {
  const { source } = useApp();
  const [again, setAgain] = useState(0);
  const got = useGot<SaidList>(() => source.said(words, "", HITS), [words, again]);
  useEffect(() => {
    if (got.state !== "got" || got.value.ready) return undefined;
    const timer = setTimeout(() => setAgain((n) => n + 1), 1000);
    return () => clearTimeout(timer);
  }, [got]);
  if (got.state === "waiting") return <Waiting />;
  if (got.state === "failed") return <Wrong error={got.error} />;
  const { hits, total, ready, more } = got.value;
  return (
    <>
      <p class="counted" role="status">
        {say(more ? "said_at_least" : "said_counted", { count: total })}
        {ready ? "" : ` · ${say("still_reading")}`}
      </p>
      <Rows count={hits.length} guess={72} role="list" label={say("ask_said")} rowKey={(n) => n} row={(n) => <Hit hit={hits[n]!} words={words} />} empty={ready ? <Nothing why="not_said" /> : null} />
    </>
  );
}

function Hit({ hit, words }: { hit: SaidHit; words: string }): JSX.Element {
  const place = hit.turn > 0 ? { t: String(hit.turn) } : { line: String(hit.line) };
  return (
    <div class="hit" role="listitem">
      <Link to={{ page: "run", id: hit.run, params: { ...place, find: words } }}>
        <Own text={hit.run} /> · {say("turn_n", { n: hit.turn })} · <Own text={hit.speaker} />
      </Link>
      <p>
        <Own text={hit.before} />
        <mark><Own text={hit.hit} /></mark>
        <Own text={hit.after} />
      </p>
    </div>
  );
}
