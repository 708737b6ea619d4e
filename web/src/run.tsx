import { type JSX } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Here, Link, Problems, Waiting, Wrong, useApp } from "./app";
import { Detail } from "./detail";
import { DocumentPage } from "./documents";
import { WIDE, useGot, useKeys, useMedia, type Got } from "./hooks";
import { PRINTED, type RowsControl } from "./rows";
import { Status } from "./runs";
import { Own } from "./text";
import { Transcript, useLines, type RunLines } from "./transcript";
import type { Grew, PartRow, RunHead, SaidList, TurnPage } from "./types";
import { amount, money, number, say } from "./words";

const HITS = 500;
const LATER = 1500;
const PATIENCE = 30_000; // milliseconds
const WIDER = "(min-width: 1240px)";

export function RunPage(): JSX.Element {
  const { source, route } = useApp();
  const [round, setRound] = useState(0);
  const asked = useGot(() => source.get<RunHead>(`run/${route.id}/head`), [route.id, round]);
  const [grown, setGrown] = useState<Grew | null>(null);
  const [gone, setGone] = useState(false);
  const later = useRef(0);
  useEffect(
    () =>
      source.follow({ runs: [route.id], list: false }, (news) => {
        if (news.kind === "gone") setGone(true);
        if (news.kind !== "run") return;
        setGone(false);
        setGrown(news.data);
        // Stages, documents and the like are asked for after a while, not with each line that comes.
        later.current ||= setTimeout(() => {
          later.current = 0;
          setRound((n) => n + 1);
        }, LATER);
      }),
    [source, route.id],
  );
  useEffect(() => () => clearTimeout(later.current), []);
  if (asked.state === "waiting") return <Waiting />;
  if (asked.state === "failed") {
    return (
      <div class="page">
        <Wrong error={asked.error} />
        <p><Link to={{ page: "runs", id: "", params: {} }}>{say("runs")}</Link></p>
      </div>
    );
  }
  return <Opened head={newer(asked.value, grown)} gone={gone} />;
}

/** What is known of a run with what the stream said of it since. */
function newer(head: RunHead, grown: Grew | null): RunHead {
  if (grown === null || grown.run !== head.id || grown.lines < head.lines) return head;
  const { lines, turns, status, live, torn, place, tokens, cost } = grown;
  return { ...head, lines, turns, status, live, torn, place, tokens, cost };
}

function Opened({ head, gone }: { head: RunHead; gone: boolean }): JSX.Element {
  const { source, route, set } = useApp();
  const { params } = route;
  const wide = useMedia(WIDE);
  const wider = useMedia(WIDER);
  const [drawer, setDrawer] = useState(false);
  const control = useRef<RowsControl | null>(null);
  const lines = useLines(head);
  const turn = Math.max(0, Math.floor(Number(params["t"] ?? 0))) || 0;
  const page = useGot(turn > 0 ? () => source.get<TurnPage>(`run/${head.id}/turn/${turn}`) : null, [head.id, turn, turn > head.calls - 2 ? head.lines : 0]);
  const find = params["find"] ?? "";
  const hits = useHits(head, find);
  const [hit, setHit] = useState(0);

  // The transcript goes to what the address names, once that is known and whenever it changes.
  const aim = params["line"] !== undefined ? Number(params["line"]) : page.state === "got" && page.value.turn === turn ? page.value.line : -1;
  const moved = useRef(-1);
  useEffect(() => {
    if (!(aim >= 0) || moved.current === aim) return;
    control.current?.show(aim, moved.current < 0 ? "top" : "nearest");
    moved.current = aim;
  }, [aim, params["doc"]]);
  useEffect(() => {
    const title = head.case_title || head.case || head.id;
    document.title = `${turn > 0 ? `${say("turn_n", { n: turn })} · ` : ""}${title} · LegalWorld`;
  });

  const step = (by: number): void => {
    const next = Math.min(Math.max(turn + by, 1), head.calls);
    if (head.calls > 0 && next !== turn) set({ t: next, line: null, cite: null, doc: null });
  };
  const toHit = (by: number): void => {
    if (hits.state !== "got" || hits.value.hits.length === 0) return;
    const count = hits.value.hits.length;
    const next = find === "" ? 0 : (hit + by + count) % count;
    setHit(next);
    const found = hits.value.hits[next]!;
    moved.current = -1;
    if (found.turn > 0) set({ t: found.turn, line: null, cite: null, doc: null });
    else set({ t: null, line: found.line, cite: null, doc: null });
  };
  const search = useRef<HTMLInputElement>(null);
  const close = useCallback(() => set({ t: null, show: null, cite: null, line: null }), [set]);
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    n: () => toHit(1),
    N: () => toHit(-1),
    "/": () => search.current?.focus(),
    v: () => set({ show: "seen", t: turn || 1 }),
    p: () => set({ show: "prompt", t: turn || 1 }),
    Escape: () => (drawer ? setDrawer(false) : params["doc"] !== undefined ? set({ doc: null }) : close()),
  });
  const open = head.status !== "damaged" && (turn > 0 || params["show"] !== undefined || params["cite"] !== undefined);
  const doc = params["doc"];
  return (
    <div class={`run-page ${open ? "open" : ""}`}>
      <div class="run-bar">
        {wider ? null : (
          <button type="button" class="icon" aria-label={say("stages")} aria-expanded={drawer} aria-controls="stages" onClick={() => setDrawer(!drawer)}>
            <span aria-hidden="true">☰</span>
            <span class="name">{say("stages")}</span>
          </button>
        )}
        <h1 title={head.id}>
          <Own text={head.case_title || head.case || head.id} />
          <small>
            <Link to={{ page: "procedure", id: head.procedure, params: { run: head.id } }}>
              <Own text={head.procedure_title || head.procedure} />
            </Link>
          </small>
        </h1>
        <p class="figures">
          <Status status={gone ? "damaged" : head.status} live={head.live && !gone} />
          {head.status === "damaged" ? null : <span>{say("n_calls", { n: head.calls })}</span>}
          {head.tokens === null ? null : <span>{say("n_tokens", { n: amount(head.tokens) })}</span>}
          {head.cost === null ? null : <span>{money(head.cost)}</span>}
        </p>
        <form class="find" role="search" onSubmit={(event) => { event.preventDefault(); toHit(1); }}>
          <input
            ref={search}
            type="search"
            aria-label={say("search_run")}
            placeholder={say("search_run")}
            value={find}
            onInput={(event) => { setHit(-1); set({ find: event.currentTarget.value }); }}
            onKeyDown={(event) => { if (event.key === "Enter" && event.shiftKey) { event.preventDefault(); toHit(-1); } }}
          />
          {find === "" || hits.state !== "got" ? null : (
            <>
              <output>{hits.value.total === 0 ? say("no_hits") : `${hit < 0 ? "" : `${number(hit + 1)} / `}${number(hits.value.total)}`}</output>
              <button type="button" class="icon" aria-label={say("hit_before")} onClick={() => toHit(-1)}>↑</button>
              <button type="button" class="icon" aria-label={say("hit_after")} onClick={() => toHit(1)}>↓</button>
            </>
          )}
        </form>
        <nav class="run-links" aria-label={say("run_parts")}>
          <Here changes={{ show: "about", t: null, cite: null }} current={params["show"] === "about"}>{say("show_about")}</Here>
          <button type="button" class="linklike" onClick={() => printWhole(lines)}>{say("print")}</button>
        </nav>
      </div>
      {gone ? <p class="problem warning">{say("run_gone")}</p> : null}
      {head.status === "damaged" ? <Problems problems={head.problems} /> : null}
      <div class="run-columns">
        <Stages head={head} open={drawer} folded={!wider} at={aim >= 0 ? aim : lines.first} go={(part) => {
          setDrawer(false);
          moved.current = part.line;
          control.current?.show(part.line, "top");
          if (params["doc"] !== undefined) set({ doc: null, line: part.line, t: null });
        }} close={() => setDrawer(false)} />
        {doc === undefined ? (
          <Transcript head={head} lines={lines} control={control} turn={turn} line={aim} find={find} />
        ) : (
          <DocumentPage head={head} name={doc} />
        )}
        {head.status === "damaged" ? null : <Detail head={head} turn={turn} page={page} step={step} close={close} sheet={!wide} shown={open} />}
      </div>
    </div>
  );
}

/** Print when every line is there that is printed: only those that were looked at came with the page. */
function printWhole(lines: RunLines): void {
  const last = Math.min(lines.total, PRINTED) - 1;
  lines.need(0, last);
  const begin = Date.now();
  const look = (): void => {
    for (let n = last; n >= 0; n--) {
      if (lines.at(n) !== undefined) continue;
      if (Date.now() - begin < PATIENCE) setTimeout(look, 100);
      return;
    }
    print();
  };
  look();
}

function useHits(head: RunHead, find: string): Got<SaidList> {
  const { source } = useApp();
  const [words, setWords] = useState(find);
  useEffect(() => {
    const timer = setTimeout(() => setWords(find), 250);
    return () => clearTimeout(timer);
  }, [find]);
  return useGot(words.trim() === "" ? null : () => source.said(words, head.id, HITS), [head.id, head.lines, words]);
}

interface StagesProps {
  head: RunHead;
  open: boolean;
  folded: boolean;
  at: number;
  go: (part: PartRow) => void;
  close: () => void;
}

/** Stages and phases in the order in which they came; beside the transcript, or in a drawer. */
function Stages({ head, open, folded, at, go, close }: StagesProps): JSX.Element {
  const now = useMemo(() => head.parts.reduce((last, part, n) => (part.line <= at ? n : last), -1), [head.parts, at]);
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (open && folded) box.current?.querySelector<HTMLElement>("button")?.focus();
  }, [open, folded]);
  useEffect(() => {
    box.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [now]);
  return (
    <>
      {folded && open ? <div class="veil" onClick={close} /> : null}
      <nav ref={box} id="stages" class={`stages ${folded ? "drawer" : ""}`} aria-label={say("stages")} hidden={folded && !open}>
        <ol>
          {head.parts.map((part, n) => (
            <li class={part.level} key={`${part.place} ${part.line}`}>
              <button type="button" aria-current={n === now ? "step" : undefined} onClick={() => go(part)}>
                <Own text={part.title || part.place} />
                {part.again > 0 ? <small> {say("again_n", { n: part.again + 1 })}</small> : null}
              </button>
            </li>
          ))}
        </ol>
      </nav>
    </>
  );
}
