import { type ComponentChildren, type JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ArticlePane } from "./article";
import { Waiting, Wrong, useApp } from "./app";
import { type Got } from "./hooks";
import { About, Checks, Citations, Conduct, Decisions, Documents, Scores, Tools } from "./record";
import { Seen } from "./sight";
import { Tabs } from "./tabs";
import { Own } from "./text";
import { MemoryPane, PromptPane, ReplyPane, TurnScores, TurnTools } from "./turn";
import type { RunHead, TurnPage } from "./types";
import { label, say } from "./words";

const OF_TURN = ["seen", "prompt", "reply", "memory", "tools", "checks", "scores"] as const;
const OF_RUN = ["about", "docs", "decisions", "citations", "checks", "scores", "tools", "conduct"] as const;

interface DetailProps {
  head: RunHead;
  turn: number;
  page: Got<TurnPage>;
  step: (by: number) => void;
  close: () => void;
  sheet: boolean;
  shown: boolean;
}

/** What is known of a turn, or of the run: beside the transcript, or on a sheet from below. */
export function Detail(props: DetailProps): JSX.Element {
  const { head, turn, page, step, close, sheet, shown } = props;
  const { route } = useApp();
  const box = useRef<HTMLElement>(null);
  const cite = route.params["cite"];
  const what = cite !== undefined ? "cite" : turn > 0 ? "turn" : "run";
  useEffect(() => {
    if (sheet && shown) box.current?.focus({ preventScroll: true });
  }, [sheet, shown, what]);
  return (
    <aside ref={box} class={`detail ${sheet ? "sheet" : ""}`} aria-label={say("detail")} tabIndex={-1} hidden={sheet && !shown}>
      {cite !== undefined ? (
        <ArticlePane head={head} citation={Number(cite)} close={close} />
      ) : turn > 0 ? (
        <Turn head={head} turn={turn} page={page} step={step} close={close} />
      ) : (
        <Run head={head} close={close} sheet={sheet} />
      )}
    </aside>
  );
}

function Turn({ head, turn, page: got, step, close }: { head: RunHead; turn: number; page: Got<TurnPage>; step: (by: number) => void; close: () => void }): JSX.Element {
  const { route } = useApp();
  const names = OF_TURN.filter((name) => name === "seen" || name === "reply" || head.has.includes(name === "prompt" ? "prompts" : name) || name === "memory");
  const asked = route.params["show"] ?? "";
  const now = names.find((name) => name === asked) ?? "seen";
  const page: Got<TurnPage> = got.state === "got" && got.value.turn !== turn ? { state: "waiting" } : got;
  const row = page.state === "got" ? page.value.row : null;
  return (
    <>
      <header class="detail-head">
        <div class="steps">
          <button type="button" class="icon" aria-label={say("turn_before")} disabled={turn <= 1} onClick={() => step(-1)}>←</button>
          <button type="button" class="icon" aria-label={say("turn_after")} disabled={turn >= head.calls} onClick={() => step(1)}>→</button>
        </div>
        <h2>
          {say("turn_n", { n: turn })}
          {row === null ? null : <> · <Own text={row.speaker} /></>}
        </h2>
        <button type="button" class="icon" aria-label={say("close")} onClick={close}>×</button>
        {page.state !== "got" ? null : (
          <p class="soft">
            <Own text={page.value.place_title} /> · {label("act", page.value.row.act)}
            {page.value.day === "" ? null : <> · <time>{page.value.day}</time></>}
          </p>
        )}
      </header>
      <Tabs names={names} now={now} of={say("turn_parts")} kind="show" />
      <div class="detail-body" key={`${turn} ${now}`} tabIndex={0} role="region" aria-label={label("show", now)}>
        {page.state === "failed" ? (
          <Wrong error={page.error} />
        ) : page.state === "waiting" ? (
          <Waiting />
        ) : (
          ofTurn(now, head, page.value)
        )}
      </div>
    </>
  );
}

function ofTurn(name: (typeof OF_TURN)[number], head: RunHead, page: TurnPage): ComponentChildren {
  switch (name) {
    case "seen":
      return <Seen head={head} turn={page.turn} />;
    case "prompt":
      return <PromptPane head={head} turn={page.turn} />;
    case "reply":
      return <ReplyPane head={head} page={page} />;
    case "memory":
      return <MemoryPane head={head} turn={page.turn} />;
    case "tools":
      return <TurnTools head={head} page={page} />;
    case "checks":
      return <Checks head={head} turn={page.turn} />;
    case "scores":
      return <TurnScores head={head} turn={page.turn} />;
  }
}

function Run({ head, close, sheet }: { head: RunHead; close: () => void; sheet: boolean }): JSX.Element {
  const { route } = useApp();
  const names = OF_RUN.filter((name) => name === "about" || head.has.includes(name));
  const asked = route.params["show"] ?? (route.params["doc"] === undefined ? "" : "docs");
  const now = names.find((name) => name === asked) ?? "about";
  return (
    <>
      <header class="detail-head">
        <h2>{say("the_run")}</h2>
        {sheet ? <button type="button" class="icon" aria-label={say("close")} onClick={close}>×</button> : null}
        <p class="soft"><Own text={head.id} /></p>
      </header>
      <Tabs names={names} now={now} of={say("run_parts")} kind="show" />
      <div class="detail-body" key={now} tabIndex={0} role="region" aria-label={label("show", now)}>
        {ofRun(now, head)}
      </div>
    </>
  );
}

function ofRun(name: (typeof OF_RUN)[number], head: RunHead): ComponentChildren {
  switch (name) {
    case "about":
      return <About head={head} />;
    case "docs":
      return <Documents head={head} />;
    case "decisions":
      return <Decisions head={head} />;
    case "citations":
      return <Citations head={head} />;
    case "checks":
      return <Checks head={head} turn={0} />;
    case "scores":
      return <Scores head={head} />;
    case "tools":
      return <Tools head={head} />;
    case "conduct":
      return <Conduct head={head} />;
  }
}
