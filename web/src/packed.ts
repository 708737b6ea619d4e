import { paramsOf, queryOf, spelled, type Params, type Route } from "./route";
import type { Query, Source } from "./source";
import type { Boot, Json, LinePage, Pack, SaidHit, SaidList } from "./types";
import { Fault } from "./words";

const AROUND = 30;

/** What came with a published page: nothing is asked of anybody. */
export async function packedSource(boot: Boot): Promise<Source> {
  const pack = await inflated(boot.pack);
  const pool: Json[] = [];
  const resolved = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(resolved);
    if (value === null || typeof value !== "object") return value;
    const names = Object.keys(value);
    if (names.length === 1 && names[0] === "$") return pool[value["$"] as number] ?? null;
    return Object.fromEntries(names.map((name) => [name, resolved(value[name]!)]));
  };
  for (const one of pack.pool) pool.push(resolved(one)); // an entry names only those before it
  const known = new Map<string, Json>();
  const own = (name: string): boolean => Object.prototype.hasOwnProperty.call(pack.answers, name);

  const get = <T>(path: string, query: Query = {}): Promise<T> => {
    const { run: _, ...rest } = query; // what is published of a procedure is of the runs beside it
    const asked = [queryOf(query), queryOf(rest), ""];
    const name = asked.flatMap((one) => [`${spelled(path)}${one}`, `${path}${one}`]).find(own);
    if (name === undefined) return Promise.reject(new Fault("not_published"));
    if (!known.has(name)) known.set(name, resolved(pack.answers[name]!));
    return Promise.resolve(known.get(name) as T);
  };

  const params = (): Params => paramsOf(location.hash.replace(/^#\??/, ""));
  return {
    live: false,
    get,
    reveal: () => Promise.reject(new Fault("not_published")),
    said: async (words, run, count) => searched(words, run, count, await get<LinePage>(`run/${run}/lines`)),
    follow: () => () => undefined,
    href(route: Route) {
      const query = queryOf(route.params);
      if (route.page === boot.page && route.id === boot.id) return query === "" ? "#" : `#${query}`;
      const name = route.page === "runs" ? "index.html" : route.page === "run" ? route.id : `${route.page}/${route.id}`;
      const file = route.page === "runs" ? name : pack.files[name];
      return file === undefined ? null : `${file.split("/").map(encodeURIComponent).join("/")}${query === "" ? "" : `#${query}`}`;
    },
    here: () => ({ page: boot.page, id: boot.id, params: params() }),
    keep(changed, anew) {
      const address = `#${queryOf(changed)}`;
      if (anew) history.pushState(null, "", address);
      else history.replaceState(null, "", address);
    },
  };
}

async function inflated(text: string): Promise<Pack> {
  if (typeof DecompressionStream === "undefined") throw new Fault("old_browser");
  const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text()) as Pack;
}

function searched(words: string, run: string, count: number, lines: LinePage): SaidList {
  const wanted = words.trim().toLowerCase();
  const hits: SaidHit[] = [];
  let total = 0;
  for (const line of wanted === "" ? [] : lines.lines) {
    const at = line.text.toLowerCase().indexOf(wanted);
    if (at < 0) continue;
    total += 1;
    if (hits.length >= count) continue;
    const end = at + wanted.length;
    hits.push({
      ...{ run, turn: line.turn, line: line.n, speaker: line.speaker },
      ...{ before: line.text.slice(Math.max(0, at - AROUND), at), hit: line.text.slice(at, end) },
      after: line.text.slice(end, end + AROUND),
    });
  }
  return { words, total, more: false, hits, ready: true };
}
