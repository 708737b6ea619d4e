import { Component, render, type ComponentChildren, type JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { AppContext, Link, Wrong, changed, type App } from "./app";
import { liveSource } from "./live";
import { packedSource } from "./packed";
import { ProcedurePage } from "./procedure";
import { RunPage } from "./run";
import { RunsPage } from "./runs";
import type { Source } from "./source";
import type { Boot } from "./types";
import { Fault, language, say, speak } from "./words";
import "./app.css";

const LANGUAGES = ["zh", "en"] as const;
const MARKS = { zh: "zh-CN", en: "en" } as const;

/** A part of a page that broke says so; the rest stays. */
class Held extends Component<{ children: ComponentChildren; of: string }, { error: unknown; of: string }> {
  override state: { error: unknown; of: string } = { error: null, of: "" };
  override componentDidCatch(error: unknown): void {
    this.setState({ error, of: this.props.of });
  }
  override render(): ComponentChildren {
    const { error, of } = this.state;
    return error !== null && of === this.props.of ? <Wrong error={error} /> : this.props.children;
  }
}

function Whole({ boot, source }: { boot: Boot; source: Source }): JSX.Element {
  const [route, setRoute] = useState(() => source.here());
  const asked = route.params["lang"];
  const tongue = asked === "zh" || asked === "en" ? asked : firstTongue(boot);
  speak(boot, tongue);
  useEffect(() => {
    document.documentElement.lang = MARKS[tongue];
  }, [tongue]);
  useEffect(() => {
    const moved = (): void => setRoute(source.here());
    addEventListener("popstate", moved);
    addEventListener("hashchange", moved);
    return () => {
      removeEventListener("popstate", moved);
      removeEventListener("hashchange", moved);
    };
  }, [source]);
  const app = useMemo<App>(
    () => ({
      boot,
      source,
      route,
      set(changes, anew = false) {
        const next = changed(source.here(), changes);
        source.keep(next.params, anew);
        setRoute(next);
      },
      go(next) {
        const kept = asked === undefined || "lang" in next.params ? next : changed(next, { lang: asked });
        const address = source.href(kept);
        if (address === null) return;
        history.pushState(null, "", address);
        setRoute(kept);
      },
    }),
    [boot, source, route, asked],
  );
  const page = { runs: RunsPage, run: RunPage, procedure: ProcedurePage }[route.page];
  const Page = page;
  const other = LANGUAGES.find((one) => one !== language()) ?? "en";
  return (
    <AppContext.Provider value={app}>
      <a class="skip" href="#main" onClick={skip}>{say("skip")}</a>
      <header class="bar">
        <Link to={{ page: "runs", id: "", params: {} }} class="brand" current={route.page === "runs"}>
          <b>LegalWorld</b>
          <span>{say("runs")}</span>
        </Link>
        <div class="bar-room" id="bar" />
        <Link to={changed(route, { lang: other })} class="tongue">
          <span lang={MARKS[other]}>{say(`language_${other}`)}</span>
        </Link>
      </header>
      <main id="main" tabIndex={-1}>
        <Held of={`${route.page}/${route.id}`} key={`${route.page}/${route.id}`}>
          <Page />
        </Held>
      </main>
    </AppContext.Provider>
  );
}

/** The language of a page whose address names none: the chosen one, else the one that the browser likes best. */
function firstTongue(boot: Boot): Boot["language"] {
  if (boot.chosen) return boot.language;
  const liked = navigator.languages.map((one) => LANGUAGES.find((known) => one.toLowerCase().split("-")[0] === known));
  return liked.find((one) => one !== undefined) ?? boot.language;
}

function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** What stands where the pages should be when they cannot be, in both languages. */
function Refused({ boot, error }: { boot: Boot; error: unknown }): JSX.Element {
  return (
    <main class="refused">
      {LANGUAGES.map((tongue) => (
        <Said boot={boot} tongue={tongue} error={error} />
      ))}
    </main>
  );
}

/** What went wrong, in one language: what stands in it is made before what comes after it. */
function Said({ boot, tongue, error }: { boot: Boot; tongue: Boot["language"]; error: unknown }): JSX.Element {
  speak(boot, tongue);
  return (
    <section lang={MARKS[tongue]}>
      <Wrong error={error} />
    </section>
  );
}

async function begin(): Promise<void> {
  document.getElementById("old")?.remove();
  const host = document.getElementById("app");
  const text = document.getElementById("boot")?.textContent;
  if (host === null || !text) throw new Fault("no_app");
  const boot = JSON.parse(text) as Boot;
  speak(boot, firstTongue(boot));
  try {
    const source = boot.source === "packed" ? await packedSource(boot) : liveSource(boot);
    render(<Whole boot={boot} source={source} />, host);
  } catch (error) {
    render(<Refused boot={boot} error={error} />, host);
  }
  document.documentElement.dataset["ready"] = "yes";
}

void begin();
