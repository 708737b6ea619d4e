import { type JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Here, Waiting, Wrong, useApp } from "./app";
import { useGot } from "./hooks";
import { DocLine } from "./record";
import { Own } from "./text";
import type { DocPage, DocStyle, RunHead } from "./types";
import { Changes } from "./values";
import { label, say } from "./words";

/** Most paragraphs that are laid out; a document of more is cut there and says so. */
const MOST = 3000;

/** A document as a page, as the Word file looks, with all that it was before. */
export function DocumentPage({ head, name }: { head: RunHead; name: string }): JSX.Element {
  const { source } = useApp();
  const got = useGot(() => source.get<DocPage>(`run/${head.id}/doc/${name}`), [head.id, name]);
  return (
    <section class="document-room" aria-label={say("document")} tabIndex={0}>
      <p class="document-bar">
        <Here changes={{ doc: null }}>← {say("to_transcript")}</Here>
        <button type="button" class="linklike" onClick={() => print()}>{say("print")}</button>
      </p>
      {got.state === "waiting" ? <Waiting /> : got.state === "failed" ? <Wrong error={got.error} /> : <Document page={got.value} locale={head.locale} />}
    </section>
  );
}

function Document({ page, locale }: { page: DocPage; locale: string }): JSX.Element {
  const { row, history } = page;
  return (
    <>
      <header class="document-head">
        <h2><Own text={row.title || row.document} /></h2>
        <p class="soft">
          <Own text={row.speaker} /> · {row.turn > 0 ? <Here changes={{ t: row.turn, show: "reply" }}>{say("turn_n", { n: row.turn })}</Here> : label("doc", row.source)}
          {row.day === "" ? null : <> · <time>{row.day}</time></>}
        </p>
        {row.missing.length === 0 ? null : <p class="problem warning">{say("doc_missing", { names: row.missing.join(say("between")) })}</p>}
        {row.unlisted.length === 0 ? null : <p class="problem warning">{say("doc_unlisted", { names: row.unlisted.join(say("between")) })}</p>}
      </header>
      <article class="paper" lang={locale}>
        {page.paragraphs.slice(0, MOST).map((one) => <Paragraph style={page.styles[one.style]} text={one.text} />)}
        {page.paragraphs.length > MOST ? <p class="soft">{say("more_text", { rest: page.paragraphs.length - MOST })}</p> : null}
        {page.footer === "" ? null : <footer class="soft"><Own text={page.footer} /></footer>}
      </article>
      {history.length < 2 ? null : (
        <section class="history">
          <h3>{say("history")}</h3>
          <ol class="docs">{history.map((one) => <DocLine doc={one} current={one.name === row.name} />)}</ol>
          {page.changed.length === 0 ? null : (
            <details>
              <summary>{say("changed_since")}</summary>
              <Changes lines={page.changed} />
            </details>
          )}
        </section>
      )}
    </>
  );
}

const ALIGNED: Readonly<Record<string, string>> = { center: "center", right: "right", justify: "justify" };

/** A paragraph in the style that the layout gives it; sizes follow the letters of the page. */
function Paragraph({ style, text }: { style: DocStyle | undefined; text: string }): JSX.Element {
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (line.current === null || style === undefined) return;
    const css = line.current.style;
    css.fontSize = `${Math.min(Math.max(style.size / 14, 0.7), 1.7)}em`;
    css.textAlign = ALIGNED[style.align] ?? "";
    css.textIndent = `${style.indent}em`;
    css.marginInlineStart = `${style.margin}em`;
    css.marginBlock = `${style.before / 14}em ${style.after / 14}em`;
    css.fontWeight = style.bold ? "700" : "400";
    if (/^#?[0-9a-f]{6}$/i.test(style.color) && !/^#?0{6}$/.test(style.color)) css.color = `#${style.color.replace("#", "")}`;
  }, [style]);
  return <p ref={line}><Own text={text} /></p>;
}
