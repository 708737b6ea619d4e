import { type ComponentChildren, type JSX } from "preact";
import { useState } from "preact/hooks";
import { say } from "./words";

/** What is no letter, mark, sign or space that is seen: controls, formats, what turns the direction of writing, what Unicode
 *  does not know; letters and marks that are made to be invisible. New lines, tabs and the wide space stay. */
const HIDDEN = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}]|[\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]|[\u{e0100}-\u{e01ef}]/gu;

/** A text of others in which nothing is hidden and nothing moved: each such character by its code point. */
export function plain(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(HIDDEN, (one) => `⟨U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

/** A text of others, kept apart from the direction of what stands around it. */
export function Own({ text, class: name = "" }: { text: string; class?: string }): JSX.Element {
  return <bdi class={`own ${name}`}>{plain(text)}</bdi>;
}

const norm = (text: string): string => text.toLowerCase();

/** A text with the places where a word was found marked in it. */
export function Marked({ text, find }: { text: string; find: string }): JSX.Element {
  return <bdi class="own">{marked(plain(text), find)}</bdi>;
}

function marked(text: string, find: string): ComponentChildren {
  if (find === "") return text;
  const low = norm(text);
  const wanted = norm(find);
  // Some letters change their length when they are made small: then nothing is marked rather than the wrong place.
  if (low.length !== text.length) return text;
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (let at = low.indexOf(wanted); at >= 0 && parts.length < 400; at = low.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), <mark>{text.slice(at, at + wanted.length)}</mark>);
    from = at + wanted.length;
  }
  parts.push(text.slice(from));
  return parts;
}

/** A text of any length: its beginning, and more of it each time that more is asked for. */
export function Long({ text, first = 6000, find = "" }: { text: string; first?: number; find?: string }): JSX.Element {
  const [room, setRoom] = useState(first);
  const clipped = text.length > room * 1.2;
  return (
    <>
      <Marked text={clipped ? text.slice(0, room) : text} find={find} />
      {clipped ? (
        <button type="button" class="more" onClick={() => setRoom(room * 4)}>
          {say("more_text", { rest: text.length - room })}
        </button>
      ) : null}
    </>
  );
}
