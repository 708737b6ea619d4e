import { type ComponentChildren, type JSX } from "preact";
import { useState } from "preact/hooks";
import { Here, Nothing, Problems, Waiting, Wrong, useApp } from "./app";
import { WIDE, useGot, useMedia } from "./hooks";
import { Long, Own } from "./text";
import type { AskedPage, CheckList, CheckRow, CitationList, ConductList, ConductRow, DecisionList, DocList, DocRow, EvaluationPage, RunHead, ScoreList, ScoredItem, SealedPage, ToolList, ToolRow } from "./types";
import { Fact, Value } from "./values";
import { label, money, amount, number, say, score, told } from "./words";

/** A part of a run that is asked for when it is looked at. */
function Asked<T>({ head, name, children }: { head: RunHead; name: string; children: (value: T) => ComponentChildren }): JSX.Element {
  const { source } = useApp();
  const got = useGot(() => source.get<T>(`run/${head.id}/${name}`), [head.id, name, head.lines]);
  if (got.state === "waiting") return <Waiting />;
  if (got.state === "failed") return <Wrong error={got.error} />;
  return <>{children(got.value)}</>;
}

// ---- the run as a whole ----------------------------------------------------------------------------------------------

export function About({ head }: { head: RunHead }): JSX.Element {
  const known = head.calendar.filter((one) => one.day !== null);
  return (
    <>
      {head.torn ? <p class="problem warning">{say("torn")}</p> : null}
      <dl class="value">
        <Fact name={say("ended_as")}><Own text={head.ending || head.outcome || label("status", head.status)} /></Fact>
        {head.place === "" || head.status === "ended" ? null : <Fact name={say("came_to")}><Own text={head.place} /></Fact>}
        <Fact name={label("column", "case")}><Own text={head.case_title === "" ? head.case : `${head.case_title} (${head.case})`} /></Fact>
        <Fact name={say("calls_made")}>{number(head.calls)}</Fact>
        <Fact name={label("column", "tokens")}>{head.tokens === null ? <span class="soft">{say("not_counted")}</span> : amount(head.tokens)}</Fact>
        <Fact name={say("cost")}>{head.cost === null ? <span class="soft">{say("no_cost")}</span> : money(head.cost)}</Fact>
        <Fact name={say("seed")}>{String(head.seed)}</Fact>
      </dl>
      <section>
        <h3>{say("taking_part")}</h3>
        <ul class="cast">
          {head.people.map((person) => (
            <li>
              <b><Own text={person.title || person.id} /></b> <Own text={person.name} />
              <span class="soft">
                {person.letter === "" ? null : <code>{person.letter}</code>} <Own text={person.model} />
              </span>
            </li>
          ))}
        </ul>
      </section>
      {known.length === 0 ? null : (
        <section>
          <h3>{say("calendar")}</h3>
          <dl class="value">
            {known.map((one) => (
              <Fact name={one.title || one.name}>
                <time>{one.day}</time> <span class="soft">{label("known", one.known)}</span>
              </Fact>
            ))}
          </dl>
        </section>
      )}
      {Object.keys(head.options).length === 0 ? null : (
        <section>
          <h3>{say("options")}</h3>
          <dl class="value">
            {Object.entries(head.options).map(([name, value]) => (
              <Fact name={head.option_titles[name] || name} note={head.option_titles[name] ? name : ""}><Own text={value} /></Fact>
            ))}
          </dl>
        </section>
      )}
      {head.changes.length === 0 ? null : (
        <section>
          <h3>{say("gone_on_with")}</h3>
          <ul>{head.changes.map((one) => <li><Here changes={{ t: one.turn }}>{say("turn_n", { n: one.turn })}</Here> <Own text={told(one.text)} /></li>)}</ul>
        </section>
      )}
      {[...head.lacking, ...head.adjusted].length === 0 ? null : (
        <section>
          <h3>{say("lacking")}</h3>
          <ul>{[...head.lacking, ...head.adjusted].map((one) => <li><Own text={told(one)} /></li>)}</ul>
        </section>
      )}
      {head.has.includes("sealed") ? <Sealed head={head} key={head.id} /> : null}
    </>
  );
}

/** What the case keeps for scoring: shown after a click, which the studio notes; no address leads to it. */
function Sealed({ head }: { head: RunHead }): JSX.Element {
  const { source } = useApp();
  const [asked, setAsked] = useState(false);
  const got = useGot(asked ? () => source.reveal<SealedPage>(`run/${head.id}/sealed`) : null, [asked]);
  return (
    <section class="sealed">
      <h3>{say("sealed")}</h3>
      <p class="soft">{say("sealed_note")}</p>
      {!asked ? <p><button type="button" class="linklike" onClick={() => setAsked(true)}>{say("sealed_show")}</button></p> : null}
      {asked && got.state === "waiting" ? <Waiting /> : null}
      {got.state === "failed" ? <Wrong error={got.error} /> : null}
      {got.state === "got" ? (
        <>
          <p class="soft">{say("sealed_shown_at")} <time>{got.value.at}</time></p>
          <Value value={got.value.value} />
        </>
      ) : null}
    </section>
  );
}

// ---- documents and decisions -----------------------------------------------------------------------------------------

export function Documents({ head }: { head: RunHead }): JSX.Element {
  return (
    <Asked<DocList> head={head} name="docs">
      {({ docs }) => (docs.length === 0 ? <Nothing why="no_docs" /> : <ul class="docs">{docs.map((doc) => <DocLine doc={doc} />)}</ul>)}
    </Asked>
  );
}

export function DocLine({ doc, current = false }: { doc: DocRow; current?: boolean }): JSX.Element {
  const wide = useMedia(WIDE);
  const aside = wide ? {} : { show: null, t: null }; // a sheet would lie on the document
  return (
    <li class={doc.last ? "" : "older"}>
      <Here changes={{ doc: doc.name, ...aside }} current={current}><Own text={doc.title || doc.document} /></Here>
      <span class="soft">
        {" "}
        <Own text={doc.speaker} />
        {doc.turn > 0 ? <> · {say("turn_n", { n: doc.turn })}</> : null}
        {doc.day === "" ? null : <> · <time>{doc.day}</time></>} · {label("doc", doc.source)}
        {doc.last ? null : <> · {say("replaced_later")}</>}
        {doc.cut ? <> · {say("cut_short")}</> : null}
      </span>
    </li>
  );
}

export function Decisions({ head }: { head: RunHead }): JSX.Element {
  return (
    <Asked<DecisionList> head={head} name="decisions">
      {({ decisions }) =>
        decisions.length === 0 ? (
          <Nothing why="no_decisions" />
        ) : (
          <>
            {decisions.map((one) => (
              <section>
                <h3>
                  {one.doc === "" ? <Own text={one.title || one.name} /> : <Here changes={{ doc: one.doc }}><Own text={one.title || one.name} /></Here>}
                </h3>
                <Decided text={told(one.text)} />
                <details>
                  <summary>{say("as_record")}</summary>
                  <Value value={one.record} />
                </details>
              </section>
            ))}
          </>
        )
      }
    </Asked>
  );
}

/** A decision as the program words it: headings, and rows that are indented, their columns two blanks or more apart. */
function Decided({ text }: { text: string }): JSX.Element {
  return (
    <div class="decided">
      {text.split("\n").filter((line) => line.trim() !== "").map((line) => {
        const [first = "", ...rest] = line.trim().split(/ {2,}/);
        if (!line.startsWith("  ")) return <p class="soft"><Own text={[first, ...rest].join(" · ")} /></p>;
        return <p class="decided-row"><b><Own text={first} /></b> <span><Own text={rest.join(" · ")} /></span></p>;
      })}
    </div>
  );
}

// ---- law -------------------------------------------------------------------------------------------------------------

export function Citations({ head }: { head: RunHead }): JSX.Element {
  return (
    <Asked<CitationList> head={head} name="citations">
      {(list) => (
        <>
          <p>{say("citations_counted", { all: list.all, wrong: list.wrong, unknown: list.unknown })}</p>
          <ol class="plainlist">
            {list.citations.map((one, n) => (
              <li class={one.wrong ? "wrong" : ""}>
                <Here changes={{ cite: n }}><Own text={one.normal || one.written} /></Here>
                <span class={`tag ${one.wrong ? "bad" : ""}`}>{label("citation", one.outcome)}</span>
                <span class="soft">
                  {one.turn > 0 ? <> <Here changes={{ t: one.turn, show: "reply", cite: null }}>{say("turn_n", { n: one.turn })}</Here></> : null}{" "}
                  <Own text={one.speaker} /> {one.doc === "" ? <Own text={one.document} /> : <Here changes={{ doc: one.doc, cite: null }}><Own text={one.doc_title || one.document} /></Here>}
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
    </Asked>
  );
}

// ---- checks ----------------------------------------------------------------------------------------------------------

export function Checks({ head, turn }: { head: RunHead; turn: number }): JSX.Element {
  const { source } = useApp();
  const docs = useGot(turn > 0 && head.has.includes("docs") ? () => source.get<DocList>(`run/${head.id}/docs`) : null, [head.id, turn]);
  const mine = docs.state === "got" ? docs.value.docs.filter((doc) => doc.turn === turn).map((doc) => doc.name) : [];
  return (
    <Asked<CheckList> head={head} name="checks">
      {({ rows, problems }) => {
        const shown = turn === 0 ? rows : rows.filter((row) => row.places.some((place) => mine.includes(place.doc)));
        const of = (result: CheckRow["result"]): CheckRow[] => shown.filter((row) => row.result === result);
        return (
          <>
            <Problems problems={problems} />
            {shown.length === 0 ? <Nothing why="no_checks_here" /> : null}
            {shown.length > 0 && of("alarm").length === 0 ? <p>{say("no_alarm")}</p> : null}
            {(["alarm", "held", "not_held"] as const).map((result) =>
              of(result).length === 0 ? null : (
                <details class="checks" open={result === "alarm"}>
                  <summary><h3>{say(`checks_${result}`, { n: of(result).length })}</h3></summary>
                  <ul class="fields">{of(result).map((row) => <Check row={row} />)}</ul>
                </details>
              ),
            )}
          </>
        );
      }}
    </Asked>
  );
}

function Check({ row }: { row: CheckRow }): JSX.Element {
  return (
    <li class={row.result === "alarm" ? "alarm" : ""}>
      <details open={row.result === "alarm"}>
        <summary>
          <b><Own text={row.title || row.check} /></b>
          <span class="written"><Own text={[row.part, row.document].filter((one) => one !== "").join(" · ")} /></span>
        </summary>
        {row.missing === "" ? null : <p><Own text={row.missing} /></p>}
        {row.basis === "" ? null : <p class="soft"><Own text={row.basis} /></p>}
        {row.places.map((place) => (
          <blockquote>
            <p class="serif"><Own text={place.text} /></p>
            <p class="soft">
              <Own text={told(place.shown)} />{" "}
              {place.doc === "" ? null : <Here changes={{ doc: place.doc }}><Own text={place.document} /></Here>}
            </p>
          </blockquote>
        ))}
      </details>
    </li>
  );
}

// ---- scores ----------------------------------------------------------------------------------------------------------

export function Scores({ head }: { head: RunHead }): JSX.Element {
  return (
    <Asked<ScoreList> head={head} name="scores">
      {({ evaluations, problems }) => (
        <>
          <Problems problems={problems} />
          {evaluations.length === 0 ? <Nothing why="no_scores" /> : evaluations.map((one, n) => <Evaluation one={one} head={head} n={n} />)}
        </>
      )}
    </Asked>
  );
}

/** Why there is no score, in words. */
const gapWords = (gap: string): string => label("score", `gap_${gap}`);

function Evaluation({ one, head, n }: { one: EvaluationPage; head: RunHead; n: number }): JSX.Element {
  return (
    <section>
      <h3><Own text={one.title || one.rubric} /></h3>
      <p class="soft"><Own text={[one.title === "" ? "" : one.rubric, one.grader].filter((text) => text !== "").join(" · ")} /></p>
      {one.finished ? null : <p class="problem warning">{say("not_finished")}</p>}
      <dl class="value">
        {one.figures.map((figure) => (
          <Fact name={figure.title || figure.formula} note={figure.title === "" ? "" : figure.formula}>
            <b>{score(figure.value)}</b> <span class="soft"><Own text={figure.gap ? gapWords(figure.gap) : figure.detail} /></span>
          </Fact>
        ))}
      </dl>
      {one.scores.map((row, of) => <Score score={row} head={head} place={`${n}.${of}`} />)}
    </section>
  );
}

/** A score, why it is what it is, the turns on whose words it rests, and to its owner what the grader was asked. */
export function Score({ score: row, head, place }: { score: ScoredItem; head: RunHead; place: string }): JSX.Element {
  return (
    <details class="score">
      <summary>
        <b class="num">{score(row.value)}</b> <Own text={row.title || row.key} /> <span class="soft"><Own text={row.item} /></span>
      </summary>
      {[row.gap ? gapWords(row.gap) : "", row.detail, row.reason, row.capped].filter((text) => text !== "").map((text) => <p><Long text={text} first={2000} /></p>)}
      {row.turns.length === 0 ? null : (
        <p>{row.turns.map((turn) => <><Here changes={{ t: turn, show: "reply" }}>{say("turn_n", { n: turn })}</Here> </>)}</p>
      )}
      <p class="soft">
        <Own text={row.by} />
        {row.repeats.length === 0 ? null : <> · {row.repeats.map(score).join(say("between"))}</>}
        {row.left_out === 0 ? null : <> · {say("left_out", { n: row.left_out })}</>}
      </p>
      {Object.keys(row.parts).length === 0 ? null : <Value value={row.parts} />}
      {row.raw === "" ? null : (
        <details>
          <summary>{say("as_written")}</summary>
          <p class="sent"><Long text={row.raw} /></p>
        </details>
      )}
      {head.has.includes("asked") && row.by !== "rule" && row.by !== "" ? <GraderAsked head={head} place={place} /> : null}
    </details>
  );
}

/** The questions to a grader, word for word, fetched when they are unfolded. */
function GraderAsked({ head, place }: { head: RunHead; place: string }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <details class="asked" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{say("grader_asked")}</summary>
      {!open ? null : (
        <Asked<AskedPage> head={head} name={`asked/${place}`}>
          {({ questions }) =>
            questions.length === 0 ? <Nothing why="nothing_asked" /> : (
              <>
                {questions.map((one) => (
                  <section>
                    <h4><Own text={one.question} />{one.repeat === 0 ? null : <> {say("again_n", { n: one.repeat + 1 })}</>}</h4>
                    {[...one.messages, { role: say("grader_reply"), content: one.reply }].map((message) => (
                      <>
                        <p class="soft"><Own text={message.role} /></p>
                        <p class="sent"><Long text={message.content} first={3000} /></p>
                      </>
                    ))}
                  </section>
                ))}
              </>
            )
          }
        </Asked>
      )}
    </details>
  );
}

// ---- tools and conduct -----------------------------------------------------------------------------------------------

export function Tools({ head }: { head: RunHead }): JSX.Element {
  return (
    <Asked<ToolList> head={head} name="tools">
      {({ calls, refused }) => (
        <>
          <p>{say("tools_counted", { all: calls.length, refused })}</p>
          {calls.map((call) => <ToolCall call={call} turn />)}
        </>
      )}
    </Asked>
  );
}

export function ToolCall({ call, turn = false }: { call: ToolRow; turn?: boolean }): JSX.Element {
  return (
    <details class="tool" open={!turn}>
      <summary>
        {turn ? <Here changes={{ t: call.turn, show: "tools" }}>{say("turn_n", { n: call.turn })}</Here> : null} <b><Own text={call.tool} /></b>{" "}
        <span class="soft"><Own text={call.speaker} /></span>
        {call.refused === "" ? null : <span class="tag bad">{label("refused", call.refused)}</span>}
      </summary>
      <p><code><Long text={call.arguments} first={1500} /></code></p>
      <p class="sent"><Long text={call.result} first={3000} /></p>
    </details>
  );
}

export function Conduct({ head }: { head: RunHead }): JSX.Element {
  return (
    <Asked<ConductList> head={head} name="conduct">
      {({ violations }) => (violations.length === 0 ? <Nothing why="no_conduct" /> : <>{violations.map((one) => <Violation one={one} />)}</>)}
    </Asked>
  );
}

export function Violation({ one }: { one: ConductRow }): JSX.Element {
  return (
    <div class="entry">
      <Here changes={{ t: one.turn, show: "reply" }}>{say("turn_n", { n: one.turn })}</Here> <b><Own text={told(one.title) || one.rule} /></b>{" "}
      <span class="soft"><Own text={one.speaker} /></span>
      <p><Own text={one.detail} /></p>
    </div>
  );
}
