import { type ComponentChildren, type JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Heights } from "./heights";
import { usePrinting } from "./hooks";

/** Browsers lay out no element that is higher than about 17 million pixels; what is higher is scrolled in longer steps. */
const HIGHEST = 8_000_000;
const BEYOND = 600;
export const PRINTED = 4_000;

export interface RowsControl {
  show(row: number, where?: "top" | "nearest"): void;
}

interface RowsProps {
  count: number;
  guess: number;
  row: (n: number) => JSX.Element;
  rowKey: (n: number) => string | number;
  control?: { current: RowsControl | null };
  label: string;
  role: "feed" | "list" | "rowgroup";
  onRange?: (first: number, last: number) => void;
  class?: string;
  /** Stay at the end when rows come in there and the end is what is looked at. */
  follow?: boolean;
  empty?: ComponentChildren;
}

interface Aim {
  row: number;
  where: "top" | "nearest";
}

/** A column of rows of which only those near the window are made. */
export function Rows(props: RowsProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const heights = useRef(new Heights(props.count, props.guess));
  const aim = useRef<Aim | null>(null);
  const put = useRef(0);
  const atEnd = useRef(false);
  const [, redraw] = useState(0);
  const printing = usePrinting();
  const all = heights.current;
  all.resize(props.count);

  const view = box.current?.clientHeight ?? 800;
  const whole = all.whole;
  const high = Math.min(whole, HIGHEST);
  const ratio = high > view ? Math.max(1, (whole - view) / (high - view)) : 1;
  const scroll = box.current?.scrollTop ?? 0;
  const top = Math.min(scroll * ratio, Math.max(0, whole - view));
  const first = printing ? 0 : props.count ? all.at(Math.max(0, top - BEYOND)) : 0;
  const last = printing ? Math.min(props.count, PRINTED) - 1 : props.count ? all.at(top + view + BEYOND) : -1;

  const reach = (goal: Aim): void => {
    const host = box.current;
    if (host === null) return;
    const start = all.top(goal.row);
    const end = start + all.get(goal.row);
    const now = host.scrollTop * ratio;
    const room = host.clientHeight;
    if (goal.where === "top") host.scrollTop = (start - Math.min(48, room / 6)) / ratio;
    else if (start < now + 8) host.scrollTop = (start - 24) / ratio;
    else if (end > now + room - 8) host.scrollTop = Math.min(start - 24, end - room + 24) / ratio;
    put.current = host.scrollTop;
  };

  if (props.control !== undefined) {
    props.control.current = {
      show: (row, where = "top") => {
        aim.current = { row, where };
        reach(aim.current);
        redraw((n) => n + 1);
      },
    };
  }

  // What was guessed is measured once it is drawn; the window stays where it is when something above it turns out higher,
  // and at the row that was asked for until somebody scrolls: its neighbours may come later than it.
  useLayoutEffect(() => {
    const host = box.current;
    if (host === null || list.current === null || printing) return;
    let changed = false;
    let above = 0;
    for (const element of Array.from(list.current.children) as HTMLElement[]) {
      const row = Number(element.dataset["row"]);
      const height = element.offsetHeight;
      const before = all.get(row);
      if (Math.abs(height - before) < 0.5) continue;
      if (all.top(row) + before <= top) above += height - before;
      all.set(row, height);
      changed = true;
    }
    if (aim.current !== null) {
      reach(aim.current);
    } else if (props.follow === true && atEnd.current) {
      host.scrollTop = host.scrollHeight;
    } else if (above !== 0 && ratio === 1) {
      host.scrollTop = scroll + above;
    }
    if (changed) redraw((n) => n + 1);
  });

  useEffect(() => {
    const host = box.current;
    if (host === null) return;
    let asked = 0;
    const moved = (): void => {
      atEnd.current = host.scrollTop + host.clientHeight >= host.scrollHeight - 40;
      if (Math.abs(host.scrollTop - put.current) > 2) aim.current = null; // somebody else scrolled
      if (asked === 0) {
        asked = requestAnimationFrame(() => {
          asked = 0;
          redraw((n) => n + 1);
        });
      }
    };
    host.addEventListener("scroll", moved, { passive: true });
    const watch = new ResizeObserver(() => redraw((n) => n + 1));
    watch.observe(host);
    if (list.current !== null) watch.observe(list.current);
    return () => {
      watch.disconnect();
      cancelAnimationFrame(asked);
      host.removeEventListener("scroll", moved);
    };
  }, []);

  useEffect(() => props.onRange?.(first, last), [first, last, props.count]);

  const shown: JSX.Element[] = [];
  for (let n = first; n <= last; n++) {
    shown.push(
      <div key={props.rowKey(n)} data-row={n} class="row">
        {props.row(n)}
      </div>,
    );
  }
  const begins = scroll + all.top(first) - top;
  return (
    <div ref={box} class={`rows ${props.class ?? ""}`} role={props.role} aria-label={props.label} tabIndex={0}>
      {props.count === 0 ? props.empty : null}
      <div class="rows-whole" style={printing ? {} : { height: `${high}px` }}>
        <div ref={list} class="rows-shown" style={printing ? {} : { transform: `translateY(${Math.max(0, begins)}px)` }}>
          {shown}
        </div>
      </div>
    </div>
  );
}
