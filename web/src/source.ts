import type { Params, Route } from "./route";
import type { Grew, ListChanged, SaidList } from "./types";

export type Query = Readonly<Record<string, string | number | undefined>>;

export interface Wanted {
  runs: readonly string[];
  list: boolean;
}

export type News = { kind: "run"; data: Grew } | { kind: "list"; data: ListChanged } | { kind: "gone"; data: { run: string } };

/** Where a page has what it shows from: a server that is asked, or what came with the page. */
export interface Source {
  readonly live: boolean;
  get<T>(path: string, query?: Query): Promise<T>;
  /** What is asked for by a click and noted, and never kept. */
  reveal<T>(path: string): Promise<T>;
  said(words: string, run: string, count: number): Promise<SaidList>;
  follow(wanted: Wanted, tell: (news: News) => void): () => void;
  /** The address of a page; null where there is none, as for a run that was not published with this one. */
  href(route: Route): string | null;
  here(): Route;
  /** Put the state of a page into its address. */
  keep(params: Params, anew: boolean): void;
}
