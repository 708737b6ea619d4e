import type { Boot } from "./types";

export type Page = Boot["page"];
export type Params = Readonly<Record<string, string>>;

/** What is looked at: a page, whose, and where on it. Several values of one name are kept apart by a line's end. */
export interface Route {
  page: Page;
  id: string;
  params: Params;
}

const PAGES: readonly string[] = ["runs", "run", "procedure"] satisfies Page[];

export function paramsOf(query: string): Params {
  const params: Record<string, string> = {};
  new URLSearchParams(query).forEach((value, name) => {
    params[name] = name in params ? `${params[name]}\n${value}` : value;
  });
  return params;
}

export function queryOf(params: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === "") continue;
    for (const one of String(value).split("\n")) query.append(name, one);
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

export const spelled = (id: string): string => id.split("/").map(encodeURIComponent).join("/");

function read(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The page that an address below the base is of; the runs for one that is of no page. */
export function routeOf(path: string, query: string): Route {
  const [page = "", ...rest] = path.split("/");
  const known = PAGES.includes(page) ? (page as Page) : "runs";
  return { page: known, id: known === "runs" ? "" : rest.map(read).join("/"), params: paramsOf(query) };
}
