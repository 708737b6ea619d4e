import { createContext, type ComponentChildren, type JSX } from "preact";
import { useContext } from "preact/hooks";
import type { Route } from "./route";
import type { Source } from "./source";
import type { Boot, Problem } from "./types";
import { Fault, say, told } from "./words";
import { Own } from "./text";

type Changes = Readonly<Record<string, string | number | null>>;

export interface App {
  boot: Boot;
  source: Source;
  route: Route;
  /** Change what stands behind the page in its address; null takes a name out. `anew`: one can go back from it. */
  set(changes: Changes, anew?: boolean): void;
  go(route: Route): void;
}

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Fault("no_app");
  return app;
}

export function changed(route: Route, changes: Changes): Route {
  const params: Record<string, string> = { ...route.params };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") delete params[name];
    else params[name] = String(value);
  }
  return { ...route, params };
}

interface LinkProps {
  to: Route;
  children: ComponentChildren;
  class?: string;
  current?: boolean;
  title?: string;
}

/** A link to a state of a page; plain words where that page is not there. */
export function Link({ to, children, class: name = "", current = false, title }: LinkProps): JSX.Element {
  const { source, go } = useApp();
  const href = source.href(to);
  if (href === null) return <span class={name}>{children}</span>;
  const follow = (event: MouseEvent): void => {
    if (!source.live || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={href} class={name} aria-current={current ? "page" : undefined} title={title} onClick={follow}>
      {children}
    </a>
  );
}

/** A link to another state of this page. */
export function Here({ changes, ...rest }: Omit<LinkProps, "to"> & { changes: Changes }): JSX.Element {
  const { route } = useApp();
  return <Link to={changed(route, changes)} {...rest} />;
}

export function Problems({ problems }: { problems: readonly Problem[] }): JSX.Element | null {
  if (problems.length === 0) return null;
  return (
    <ul class="problems">
      {problems.map((problem) => (
        <li class={`problem ${problem.severity}`}>
          <p>
            <Own text={told(problem.text)} />
          </p>
          {told(problem.help) === "" ? null : (
            <p class="soft">
              <Own text={told(problem.help)} />
            </p>
          )}
          {problem.where === "" ? null : (
            <p class="soft">
              <code>
                <Own text={problem.where} />
              </code>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What went wrong, in words. */
export function Wrong({ error }: { error: unknown }): JSX.Element {
  if (error instanceof Fault && error.problem !== null) return <Problems problems={[error.problem]} />;
  return (
    <p class="problem error" role="alert">
      {say(error instanceof Fault ? error.reason : "broken")}
    </p>
  );
}

export const Waiting = (): JSX.Element => <p class="waiting" aria-busy="true">{say("waiting")}</p>;
export const Nothing = ({ why }: { why: string }): JSX.Element => <p class="nothing">{say(why)}</p>;
