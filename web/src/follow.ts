import { queryOf } from "./route";
import type { News, Wanted } from "./source";

type Tell = (news: News) => void;
type Talk =
  | { say: "want"; tab: string; runs: readonly string[]; list: boolean }
  | { say: "who" }
  | { say: "news"; news: News };

const AGAIN = 3000; // milliseconds
const nothing: Wanted = { runs: [], list: false };
const keyOf = (news: News): string => (news.kind === "list" ? news.kind : `run ${news.data.run}`);

/**
 * What changes, told to a page as long as it is seen. One tab of a browser holds the stream and tells the others: a browser
 * opens six to one server and no more. Who holds it is settled by a lock that goes on to the next when a tab goes.
 */
export function follower(base: string): (wanted: Wanted, tell: Tell) => () => void {
  return (wanted, tell) => {
    const shared = "locks" in navigator && typeof BroadcastChannel !== "undefined";
    const tab = `${Date.now()} ${Math.random()}`;
    const channel = shared ? new BroadcastChannel(`follow ${base}`) : null;
    const wishes = new Map<string, Wanted>();
    const last = new Map<string, News>();
    let stream: EventSource | null = null;
    let address = "";
    let letGo: (() => void) | null = null;
    let over = false;
    let timer = 0;
    const post = (talk: Talk): void => channel?.postMessage(talk);

    const spread = (news: News): void => {
      last.set(keyOf(news), news);
      tell(news);
      post({ say: "news", news });
    };
    const open = (): void => {
      const all = [...wishes.values()];
      const runs = [...new Set(all.flatMap((one) => one.runs))].sort();
      const list = all.some((one) => one.list);
      const next = runs.length > 0 || list ? `${base}d/follow${queryOf({ run: runs.join("\n"), list: list ? 1 : "" })}` : "";
      if (next === address) return;
      address = next;
      stream?.close();
      last.clear();
      stream = next === "" ? null : new EventSource(next);
      for (const kind of ["run", "list", "gone"] as const) {
        stream?.addEventListener(kind, (event) => spread({ kind, data: JSON.parse((event as MessageEvent<string>).data) } as News));
      }
      stream?.addEventListener("slow", () => location.reload());
      // A browser asks again by itself after most failures; where it gave up, this does.
      stream?.addEventListener("error", () => {
        if (stream?.readyState !== EventSource.CLOSED) return;
        address = "";
        clearTimeout(timer);
        timer = setTimeout(open, AGAIN);
      });
    };
    const soon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(open, 60);
    };
    const close = (): void => {
      clearTimeout(timer);
      stream?.close();
      stream = null;
      address = "";
      wishes.clear();
      letGo?.();
      letGo = null;
    };

    const lead = (): void => {
      wishes.set(tab, wanted);
      post({ say: "who" });
      soon();
    };
    const begin = (): void => {
      if (over || document.hidden) return;
      if (!shared) {
        lead();
        return;
      }
      post({ say: "want", tab, ...wanted });
      const stop = new AbortController();
      let waiting = true;
      letGo = () => stop.abort();
      navigator.locks
        .request(`follow ${base}`, { signal: stop.signal }, () => {
          waiting = false;
          if (over || document.hidden) return undefined;
          lead();
          return new Promise<void>((done) => {
            letGo = done;
          });
        })
        .catch(() => waiting && undefined);
    };
    const end = (): void => {
      post({ say: "want", tab, ...nothing });
      close();
    };
    const seen = (): void => {
      if (document.hidden) end();
      else begin();
    };
    if (channel !== null) {
      channel.onmessage = ({ data }: MessageEvent<Talk>) => {
        if (data.say === "news") {
          if (mine(wanted, data.news)) tell(data.news);
        } else if (data.say === "who") {
          if (!document.hidden) post({ say: "want", tab, ...wanted });
        } else if (wishes.has(tab)) {
          if (data.runs.length === 0 && !data.list) wishes.delete(data.tab);
          else wishes.set(data.tab, data);
          for (const news of last.values()) if (mine(data, news)) post({ say: "news", news });
          soon();
        }
      };
    }
    document.addEventListener("visibilitychange", seen);
    addEventListener("pagehide", end);
    begin();
    return () => {
      over = true;
      document.removeEventListener("visibilitychange", seen);
      removeEventListener("pagehide", end);
      end();
      channel?.close();
    };
  };
}

const mine = (wanted: Wanted, news: News): boolean => (news.kind === "list" ? wanted.list : wanted.runs.includes(news.data.run));
