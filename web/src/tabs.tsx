import { type JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Here } from "./app";
import { label } from "./words";

const NAMED = { show: { name: "show", away: "cite" }, procedure: { name: "view", away: "at" } } as const;

interface TabsProps {
  names: readonly string[];
  now: string;
  of: string;
  /** By what the labels are found. */
  kind: keyof typeof NAMED;
}

/** Links to the kinds of things there are; which one is shown stands in the address, and is brought into sight. */
export function Tabs({ names, now, of, kind }: TabsProps): JSX.Element {
  const row = useRef<HTMLElement>(null);
  const { name, away } = NAMED[kind];
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>("[aria-current]");
    if (row.current === null || !current) return;
    row.current.scrollLeft = current.offsetLeft - row.current.offsetLeft - (row.current.clientWidth - current.offsetWidth) / 2;
  }, [now, names.length]);
  return (
    <nav ref={row} class="tabs" aria-label={of}>
      {names.map((one) => (
        <Here key={one} changes={{ [name]: one, [away]: null }} current={one === now}>{label(kind, one)}</Here>
      ))}
    </nav>
  );
}
