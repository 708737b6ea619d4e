import { type JSX } from "preact";
import { Here, Nothing, Problems, Waiting, Wrong, useApp } from "./app";
import { useGot } from "./hooks";
import { Long, Own } from "./text";
import type { ArticlePage, CitationList, CitationRow, RunHead } from "./types";
import { label, say } from "./words";

/** What a citation cites: the article as it was in force on the day that counts, and how the citation stands. */
export function ArticlePane({ head, citation, close }: { head: RunHead; citation: number; close: () => void }): JSX.Element {
  const { source } = useApp();
  const list = useGot(() => source.get<CitationList>(`run/${head.id}/citations`), [head.id]);
  const row = list.state === "got" ? list.value.citations[citation] : undefined;
  return (
    <>
      <header class="detail-head">
        <h2>{row === undefined ? say("article") : <Own text={row.normal || row.written} />}</h2>
        <button type="button" class="icon" aria-label={say("close")} onClick={close}>×</button>
      </header>
      <div class="detail-body" tabIndex={0} role="region" aria-label={say("article")}>
        {list.state === "waiting" ? <Waiting /> : list.state === "failed" ? <Wrong error={list.error} /> : row === undefined ? <Nothing why="no_citation" /> : <Cited head={head} row={row} />}
      </div>
    </>
  );
}

function Cited({ head, row }: { head: RunHead; row: CitationRow }): JSX.Element {
  const { source } = useApp();
  const asked = row.law !== null && row.article !== null;
  const got = useGot(asked ? () => source.get<ArticlePage>(`run/${head.id}/article`, { law: row.law ?? "", article: row.article ?? "", at: row.at ?? "" }) : null, [head.id, row]);
  return (
    <>
      <p>
        <span class={`tag ${row.wrong ? "bad" : ""}`}>{label("citation", row.outcome)}</span>{" "}
        <span class="soft">
          <Own text={row.written} /> · <Own text={row.speaker} />
          {row.turn > 0 ? <> · <Here changes={{ t: row.turn, cite: null }}>{say("turn_n", { n: row.turn })}</Here></> : null}
        </span>
      </p>
      {!asked ? (
        <Nothing why="no_article" />
      ) : got.state === "waiting" ? (
        <Waiting />
      ) : got.state === "failed" ? (
        <Wrong error={got.error} />
      ) : (
        <>
          {got.value.problem === null ? null : <Problems problems={[got.value.problem]} />}
          {got.value.found ? (
            <article class="law">
              <h3><Own text={got.value.title || got.value.law} /></h3>
              <p class="serif"><Long text={got.value.text} /></p>
              <p class="soft">
                {got.value.at === "" ? null : say("in_force_on", { day: got.value.at })} {got.value.since === "" ? null : say("in_force_since", { day: got.value.since })}{" "}
                {got.value.until === "" ? null : say("in_force_until", { day: got.value.until })}
              </p>
            </article>
          ) : null}
        </>
      )}
    </>
  );
}
