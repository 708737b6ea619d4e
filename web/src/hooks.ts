import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Whether the page is being printed: then everything is laid out, not only what is in the window. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const begin = (): void => setPrinting(true);
    const end = (): void => setPrinting(false);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return printing;
}

/** Room for what is known of a turn beside the transcript; without it that lies on a sheet above it. */
export const WIDE = "(min-width: 900px)";

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const changed = (): void => setMatches(media.matches);
    changed();
    media.addEventListener("change", changed);
    return () => media.removeEventListener("change", changed);
  }, [query]);
  return matches;
}

export type Got<T> = { state: "waiting" } | { state: "got"; value: T } | { state: "failed"; error: unknown };

/** What a promise brings; what an older one brings later is not taken. While the next is on its way the last one stays. */
export function useGot<T>(ask: (() => Promise<T>) | null, on: readonly unknown[]): Got<T> {
  const [got, setGot] = useState<Got<T>>({ state: "waiting" });
  useEffect(() => {
    if (ask === null) {
      setGot({ state: "waiting" });
      return undefined;
    }
    let mine = true;
    ask().then(
      (value) => mine && setGot({ state: "got", value }),
      (error: unknown) => mine && setGot({ state: "failed", error }),
    );
    return () => {
      mine = false;
    };
  }, on);
  return got;
}

/** Keys pressed anywhere but in a field, each by its name. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const held = useRef(keys);
  useLayoutEffect(() => {
    held.current = keys;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const target = event.target as HTMLElement | null;
      if (target !== null && target.closest("input, textarea, select, [contenteditable]") !== null) {
        if (event.key === "Escape") target.blur();
        return;
      }
      const act = held.current[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}
