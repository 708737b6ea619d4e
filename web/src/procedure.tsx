import { type JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Here, Link, Nothing, Waiting, Wrong, useApp } from "./app";
import { WIDE, useGot, useMedia } from "./hooks";
import { Cells } from "./sight";
import { Tabs } from "./tabs";
import { Own } from "./text";
import type { CoveragePage, GraphPage, MatrixKind, MatrixPage, MatrixRow, PathPage, ProcedureHead, ProtocolBlock, ProtocolPage, RunList, WhyPage } from "./types";
import { label, language, number, say, told } from "./words";

const VIEWS = ["graph", "protocol", "matrix", "path", "coverage"] as const;
const NAMED = 3;
const OFFERED = 200;
const MOST = 30; // runs at once
const DEPTHS = ["stage", "phase", "step"] as const;

export function ProcedurePage(): JSX.Element {
  const { route } = useApp();
  const { params } = route;
  const runs = (params["run"] ?? "").split("\n").filter((one) => one !== "");
  const view = VIEWS.find((one) => one === params["view"]) ?? "graph";
  const { source } = useApp();
  const head = useGot(() => source.get<ProcedureHead>(`procedure/${route.id}/head`, { run: runs.join("\n") }), [route.id, runs.join("\n")]);
  const title = head.state === "got" ? head.value.title : "";
  useEffect(() => {
    document.title = `${title || route.id} · ${label("procedure", view)} · LegalWorld`;
  });
  return (
    <div class="page procedure-page">
      <header class="page-head">
        <h1><Own text={title || route.id} /></h1>
        {title === "" ? null : <code><Own text={route.id} /></code>}
        {runs.slice(0, NAMED).map((run) => (
          <p class="soft">{say("the_run")} <Link to={{ page: "run", id: run, params: {} }}><Own text={run} /></Link></p>
        ))}
        {runs.length > NAMED ? <p class="soft">{say("more_runs", { n: runs.length - NAMED })}</p> : null}
      </header>
      {source.live ? <Choose name={route.id} runs={runs} /> : null}
      <Tabs names={VIEWS} now={view} of={say("views")} kind="procedure" />
      {view === "graph" ? <Graph name={route.id} runs={runs} /> : null}
      {view === "protocol" ? <Protocol name={route.id} run={runs[0] ?? ""} /> : null}
      {view === "matrix" ? <Matrix name={route.id} run={runs[0] ?? ""} /> : null}
      {view === "path" ? <Path name={route.id} run={runs[0] ?? ""} /> : null}
      {view === "coverage" ? <Coverage name={route.id} runs={runs} /> : null}
    </div>
  );
}

/** Which runs of the procedure are held against it, chosen from the list. */
function Choose({ name, runs }: { name: string; runs: readonly string[] }): JSX.Element {
  const { source, set } = useApp();
  const [open, setOpen] = useState(false);
  const got = useGot(open ? () => source.get<RunList>("runs", { procedure: name, count: OFFERED }) : null, [name, open]);
  const chosen = new Set(runs);
  const choose = (next: readonly string[]): void => set({ run: next.slice(0, MOST).join("\n") }, true);
  const toggle = (id: string): void => choose(chosen.has(id) ? runs.filter((one) => one !== id) : [...runs, id]);
  return (
    <details class="choose" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{say("choose_runs", { n: runs.length })}</summary>
      {!open ? null : got.state === "waiting" ? <Waiting /> : got.state === "failed" ? <Wrong error={got.error} /> : (
        <>
          <p class="choices">
            <button type="button" class="linklike" onClick={() => choose(got.value.rows.filter((row) => row.status !== "damaged").map((row) => row.id))}>{say("choose_all", { n: Math.min(got.value.total, MOST) })}</button>
            <button type="button" class="linklike" onClick={() => choose([])}>{say("choose_none")}</button>
          </p>
          <ul>
            {got.value.rows.filter((row) => row.status !== "damaged").map((row) => (
              <li key={row.id}>
                <label>
                  <input type="checkbox" checked={chosen.has(row.id)} disabled={!chosen.has(row.id) && runs.length >= MOST} onChange={() => toggle(row.id)} />{" "}
                  <Own text={row.id} /> <span class="soft"><Own text={[row.case_title || row.case, row.ending || row.outcome].filter((one) => one !== "").join(" · ")} /></span>
                </label>
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}

// ---- the graph -------------------------------------------------------------------------------------------------------

/** The drawing as a picture: nothing that stands in a picture runs or reaches out. */
function Graph({ name, runs }: { name: string; runs: readonly string[] }): JSX.Element {
  const { source, route } = useApp();
  const depth = DEPTHS.find((one) => one === route.params["depth"]) ?? "phase";
  const got = useGot(() => source.get<GraphPage>(`procedure/${name}/graph`, { lang: language(), depth, run: runs.join("\n") }), [name, depth, runs.join("\n"), language()]);
  const svg = got.state === "got" ? got.value.svg : "";
  const picture = useMemo(() => (svg === "" ? "" : `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`), [svg]);
  const [large, setLarge] = useState(!useMedia(WIDE));
  return (
    <section class="graph-room">
      <p class="choices">
        {DEPTHS.map((one) => <Here changes={{ depth: one }} current={one === depth}>{label("depth", one)}</Here>)}
        <button type="button" class="linklike" aria-pressed={large} onClick={() => setLarge(!large)}>{say(large ? "fit" : "full_size")}</button>
      </p>
      {got.state === "waiting" ? <Waiting /> : null}
      {got.state === "failed" ? <Wrong error={got.error} /> : null}
      {got.state === "got" ? (
        <>
          {got.value.runs > 0 ? <p class="soft">{say("ways_of", { n: got.value.runs })}</p> : null}
          {got.value.elsewhere.length > 0 ? <p class="soft">{say("elsewhere", { names: got.value.elsewhere.join(say("between")) })}</p> : null}
          <div class="graph" tabIndex={0} role="region" aria-label={say("procedure_graph")}>
            <img src={picture} alt={say("graph_of", { name })} class={large ? "large" : ""} />
          </div>
        </>
      ) : null}
    </section>
  );
}

// ---- the protocol ----------------------------------------------------------------------------------------------------

function Protocol({ name, run }: { name: string; run: string }): JSX.Element {
  const { source } = useApp();
  const got = useGot(() => source.get<ProtocolPage>(`procedure/${name}/protocol`, { lang: language(), run }), [name, run, language()]);
  if (got.state === "waiting") return <Waiting />;
  if (got.state === "failed") return <Wrong error={got.error} />;
  const page = got.value;
  return (
    <article class="protocol">
      <h2><Own text={page.title} /></h2>
      <p class="soft"><Own text={page.subtitle} /></p>
      {page.sections.map((section) => (
        <section key={section.anchor}>
          <h3><Own text={section.title} /></h3>
          {section.blocks.map((block) => <Block block={block} />)}
        </section>
      ))}
    </article>
  );
}

function Block({ block }: { block: ProtocolBlock }): JSX.Element {
  const title = block.title === "" ? null : <h4><Own text={block.title} /></h4>;
  if (block.kind === "lines") {
    return <div class={block.warn ? "problem warning" : ""}>{title}{block.rows.map((row) => <p class="serif"><Own text={row.join(" ")} /></p>)}</div>;
  }
  if (block.kind === "facts") {
    return (
      <>
        {title}
        <dl class="value">{block.rows.map(([one = "", ...rest]) => <div><dt><Own text={one} /></dt><dd><Own text={rest.join(" ")} /></dd></div>)}</dl>
      </>
    );
  }
  return (
    <>
      {title}
      <div class="scroll" tabIndex={0} role="region" aria-label={block.title || say("table")}>
        <table>
          <thead><tr>{block.heads.map((one) => <th scope="col"><Own text={one} /></th>)}</tr></thead>
          <tbody>{block.rows.map((row) => <tr>{row.map((one) => <td><Own text={one} /></td>)}</tr>)}</tbody>
        </table>
      </div>
    </>
  );
}

// ---- the matrix ------------------------------------------------------------------------------------------------------

const whatOf = (row: MatrixRow): string => `${row.what}|${row.whose}`;

function Matrix({ name, run }: { name: string; run: string }): JSX.Element {
  const { source, route, set } = useApp();
  const got = useGot(() => source.get<MatrixPage>(`procedure/${name}/matrix`, { run }), [name, run]);
  if (got.state === "waiting") return <Waiting />;
  if (got.state === "failed") return <Wrong error={got.error} />;
  const page = got.value;
  const [what = "", whose = "", stage = ""] = (route.params["at"] ?? "").split("|");
  const row = page.rows.find((one) => one.what === what && one.whose === whose);
  const head = page.stages.find((one) => one.id === stage);
  const role = page.kinds.find((one) => one.id === route.params["role"]);
  return (
    <section class="matrix-room">
      <p class="choices">
        <span>{say("see_as")}</span>
        <button type="button" class="linklike" aria-pressed={role === undefined} onClick={() => set({ role: null })}>{say("everybody")}</button>
        {page.kinds.map((kind) => (
          <button type="button" class="linklike" aria-pressed={role === kind} onClick={() => set({ role: kind.id })} title={kind.roles.join(say("between"))}>
            <b>{kind.letter}</b> <Own text={kind.roles[0] ?? kind.id} />
          </button>
        ))}
      </p>
      <div class={`matrix-columns ${row !== undefined && head !== undefined ? "open" : ""}`}>
        <div class="scroll" tabIndex={0} role="region" aria-label={say("procedure_matrix")}>
          <table class="matrix">
            <caption class="sr">{say("procedure_matrix")}</caption>
            <thead>
              <tr>
                <td />
                {page.stages.map((one) => <th scope="col"><abbr title={one.title}>{one.id}</abbr><small><Own text={one.title} /></small></th>)}
              </tr>
            </thead>
            <tbody>
              {page.rows.map((one) => (
                <tr key={whatOf(one)}>
                  <th scope="row">
                    <Own text={told(one.title) || one.what} />
                    <code><Own text={one.whose === "" || one.whose === "all" ? one.what : `${one.what} ${one.whose}`} /></code>
                  </th>
                  {page.stages.map((column) => (
                    <Cell row={one} stage={column.id} kinds={page.kinds} only={role} now={one === row && column === head}
                      pick={() => set({ at: `${whatOf(one)}|${column.id}` }, true)} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {row !== undefined && head !== undefined ? <Why name={name} run={run} row={row} stage={head.id} stageTitle={head.title} kinds={page.kinds} only={role} /> : null}
      </div>
      {page.notes.length === 0 ? null : <ol class="notes">{page.notes.map((one) => <li><Own text={told(one)} /></li>)}</ol>}
      {([["unseen", page.unseen], ["scoring", page.scoring]] as const).map(([kind, list]) =>
        list.length === 0 ? null : <p class="soft">{say(`matrix_${kind}`, { names: list.map(told).join(say("between")) })}</p>,
      )}
    </section>
  );
}

interface CellProps {
  row: MatrixRow;
  stage: string;
  kinds: readonly MatrixKind[];
  only: MatrixKind | undefined;
  now: boolean;
  pick: () => void;
}

function Cell({ row, stage, kinds, only, now, pick }: CellProps): JSX.Element {
  const cells = row.cells.filter((cell) => cell.stage === stage && (only === undefined || cell.kind === only.id));
  const letters = kinds.filter((kind) => cells.some((cell) => cell.kind === kind.id));
  const notes = [...new Set(cells.flatMap((cell) => cell.notes))];
  const words = letters.length === 0 ? say("nobody_sees") : letters.map((kind) => kind.letter).join(" ");
  return (
    <td class={`${letters.length === 0 ? "closed" : "open"} ${now ? "now" : ""}`}>
      <button type="button" aria-pressed={now} aria-label={`${told(row.title) || row.what} · ${stage} · ${words}`} onClick={pick}>
        {letters.length === 0 ? <span aria-hidden="true">·</span> : letters.map((kind) => <b>{kind.letter}</b>)}
        {notes.length === 0 ? null : <sup>{notes.join(",")}</sup>}
      </button>
    </td>
  );
}

/** Why somebody sees something in a stage, or why not. */
function Why({ name, run, row, stage, stageTitle, kinds, only }: { name: string; run: string; row: MatrixRow; stage: string; stageTitle: string; kinds: readonly MatrixKind[]; only: MatrixKind | undefined }): JSX.Element {
  const { set } = useApp();
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus({ preventScroll: true }), [row, stage]);
  return (
    <aside ref={box} class="why" tabIndex={-1} aria-label={say("why")}>
      <header class="detail-head">
        <h2><Own text={told(row.title) || row.what} /> · <Own text={stageTitle || stage} /></h2>
        <button type="button" class="icon" aria-label={say("close")} onClick={() => set({ at: null })}>×</button>
      </header>
      <div class="why-body">{(only === undefined ? kinds : [only]).map((kind) => <Reason key={kind.id} name={name} run={run} row={row} stage={stage} kind={kind} />)}</div>
    </aside>
  );
}

function Reason({ name, run, row, stage, kind }: { name: string; run: string; row: MatrixRow; stage: string; kind: MatrixKind }): JSX.Element {
  const { source } = useApp();
  const got = useGot(() => source.get<WhyPage>(`procedure/${name}/why`, { what: row.what, whose: row.whose, kind: kind.id, stage, run }), [name, run, row, stage, kind.id]);
  return (
    <section class="reason-of">
      <h3>
        <b class="letter">{kind.letter}</b> <Own text={[...new Set(kind.roles)].join(say("between"))} />
        {got.state === "got" ? <span class={`tag ${got.value.seen ? "good" : ""}`}>{say(got.value.seen ? "sees" : "sees_not")}</span> : null}
      </h3>
      {got.state === "failed" ? <Wrong error={got.error} /> : null}
      {got.state === "got" ? (
        <>
          {got.value.reasons.map((one) => <p><Own text={told(one)} /></p>)}
          <Cells cells={got.value.cells} />
          {got.value.elsewhere.length === 0 ? null : (
            <details>
              <summary>{say("open_elsewhere", { n: got.value.elsewhere.length })}</summary>
              <Cells cells={got.value.elsewhere} />
            </details>
          )}
        </>
      ) : null}
    </section>
  );
}

// ---- one role's path, coverage ---------------------------------------------------------------------------------------

function Path({ name, run }: { name: string; run: string }): JSX.Element {
  const { source, route, set } = useApp();
  const role = route.params["role"] ?? "";
  const got = useGot(() => source.get<PathPage>(`procedure/${name}/path`, { role, run, lang: language() }), [name, role, run, language()]);
  const first = got.state === "got" && role === "" ? got.value.roles[0]?.id : undefined;
  useEffect(() => {
    if (first !== undefined) set({ role: first });
  }, [first]);
  if (got.state === "waiting") return <Waiting />;
  if (got.state === "failed") return <Wrong error={got.error} />;
  const page = got.value;
  const all = route.params["all"] !== undefined;
  const steps = all ? page.steps : page.steps.filter((step) => step.part !== "");
  return (
    <section class="path">
      <p class="choices">
        <label>
          <span>{say("role")}</span>{" "}
          <select value={page.role} onChange={(event) => set({ role: event.currentTarget.value })}>
            {page.roles.some((one) => one.id === page.role) ? null : <option value="">–</option>}
            {page.roles.map((one) => <option value={one.id}>{one.title || one.id}</option>)}
          </select>
        </label>
        <button type="button" class="linklike" aria-pressed={all} onClick={() => set({ all: all ? null : 1 })}>{say("all_steps")}</button>
      </p>
      {steps.length === 0 ? <Nothing why="no_path" /> : null}
      <ol class="steps-of">
        {steps.map((step) => (
          <li class={`${step.part === "" ? "quiet" : step.part} depth-${Math.min(step.depth, 5)}`} id={step.place}>
            <p>
              <span class="soft">{step.number}</span> <b><Own text={step.who} /></b> <Own text={step.what.join(" ")} />
              {step.part === "" ? null : <span class={`tag ${step.part === "acts" ? "good" : ""}`}>{label("part", step.part)}</span>}
              {step.came > 0 ? <span class="tag">{say("came_n", { n: step.came })}</span> : null}
            </p>
            {step.limit.length + step.basis.length === 0 && step.next === "" ? null : (
              <p class="soft"><Own text={[...step.limit, ...step.basis, step.next === "" ? "" : `→ ${step.next}`].filter((one) => one !== "").join(" · ")} /></p>
            )}
            <code class="soft"><Own text={`${step.file}:${step.line}`} /></code>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Coverage({ name, runs }: { name: string; runs: readonly string[] }): JSX.Element {
  const { source, route, set } = useApp();
  const only = route.params["missed"] !== undefined;
  const got = useGot(() => source.get<CoveragePage>(`procedure/${name}/coverage`, { run: runs.join("\n") }), [name, runs.join("\n")]);
  if (got.state === "waiting") return <Waiting />;
  if (got.state === "failed") return <Wrong error={got.error} />;
  const page = got.value;
  return (
    <section>
      <p class="choices">
        {say("coverage_counted", { runs: page.runs, reached: page.reached, all: page.all })}
        <button type="button" class="linklike" aria-pressed={only} onClick={() => set({ missed: only ? null : 1 })}>{say("only_missed")}</button>
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label={say("procedure_coverage")}>
        <table>
          <thead><tr><th scope="col">{say("branch")}</th><th scope="col">{say("place")}</th><th scope="col">{say("written_at")}</th><th scope="col" class="num">{say("came")}</th></tr></thead>
          <tbody>
            {page.rows.filter((row) => row.missed || !only).map((row) => (
              <tr class={row.missed ? "missed" : ""}>
                <th scope="row"><Own text={told(row.title).replace(/^-\s+/, "")} /> <span class="soft">{label("branch", row.kind)}</span></th>
                <td><code><Own text={row.place} /></code></td>
                <td><code><Own text={`${row.file}:${row.line}`} /></code></td>
                <td class="num">{row.missed ? say("never") : number(row.came)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
