import { queryOf, routeOf, spelled, type Route } from "./route";
import { follower } from "./follow";
import type { Query, Source } from "./source";
import type { Boot, FailurePage, SaidList } from "./types";
import { Fault } from "./words";

const KEPT = 200;

/** Answers of the server, asked for once; what may change is asked for each time. */
export function liveSource(boot: Boot): Source {
  const kept = new Map<string, Promise<unknown>>();

  const ask = async (address: string, method: "GET" | "POST" = "GET"): Promise<unknown> => {
    let answer: Response;
    try {
      answer = await fetch(address, { method, credentials: "omit", redirect: "error" });
    } catch {
      throw new Fault("unreachable");
    }
    let body: unknown;
    try {
      body = await answer.json();
    } catch {
      throw new Fault(answer.status === 404 ? "other_token" : "unreachable");
    }
    if (answer.ok) return body;
    throw new Fault("refused_request", (body as Partial<FailurePage>).error ?? null);
  };

  const get = <T>(path: string, query: Query = {}): Promise<T> => {
    const address = `${boot.base}d/${spelled(path)}${queryOf(query)}`;
    if (!STAYS.test(path)) return ask(address) as Promise<T>;
    let answer = kept.get(address);
    if (answer === undefined) {
      answer = ask(address);
      kept.set(address, answer);
      answer.catch(() => kept.delete(address));
      if (kept.size > KEPT) kept.delete(kept.keys().next().value as string);
    }
    return answer as Promise<T>;
  };

  const href = (route: Route): string =>
    `${boot.base}${route.page}${route.id === "" ? "" : `/${spelled(route.id)}`}${queryOf(route.params)}`;

  return {
    live: true,
    get,
    reveal: <T>(path: string) => ask(`${boot.base}d/${spelled(path)}`, "POST") as Promise<T>,
    said: (words, run, count) => ask(`${boot.base}d/said${queryOf({ words, run, count })}`) as Promise<SaidList>,
    follow: follower(boot.base),
    href,
    here: () => routeOf(location.pathname.slice(boot.base.length), location.search),
    keep(params, anew) {
      const address = `${location.pathname}${queryOf(params)}`;
      if (anew) history.pushState(null, "", address);
      else history.replaceState(null, "", address);
    },
  };
}

/** What a call was, is over: its prompt and what was seen do not change while the run goes on. */
const STAYS = /^run\/.*\/(sight|prompt|memory|words|article)(\/|$)/;
