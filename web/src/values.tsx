import { type ComponentChildren, type JSX } from "preact";
import { Long, Own } from "./text";
import type { DiffLine, Json } from "./types";

const DEEP = 8;

/** A value of a run as it is: records by their names, lists by their numbers, words as words. */
export function Value({ value, deep = 0 }: { value: Json; deep?: number }): JSX.Element {
  if (value === null || value === "") return <span class="soft">–</span>;
  if (typeof value !== "object") return <Long text={String(value)} first={3000} />;
  if (deep > DEEP) return <Long text={JSON.stringify(value)} first={1000} />;
  if (Array.isArray(value)) {
    if (value.length === 0) return <span class="soft">–</span>;
    return (
      <ol class="value">
        {value.map((one) => (
          <li><Value value={one} deep={deep + 1} /></li>
        ))}
      </ol>
    );
  }
  return (
    <dl class="value">
      {Object.entries(value).map(([name, one]) => (
        <Fact name={name} key={name}><Value value={one} deep={deep + 1} /></Fact>
      ))}
    </dl>
  );
}

export function Fact({ name, note = "", children }: { name: string; note?: string; children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt><Own text={name} />{note === "" ? null : <> <code><Own text={note} /></code></>}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Lines that came, went or stayed. */
export function Changes({ lines }: { lines: readonly DiffLine[] }): JSX.Element {
  return (
    <pre class="changes">
      {lines.map((line) => {
        const Kind = line.mark === "+" ? "ins" : line.mark === "-" ? "del" : "span";
        return <Kind><i aria-hidden="true">{line.mark}</i><Own text={line.text} />{"\n"}</Kind>;
      })}
    </pre>
  );
}
