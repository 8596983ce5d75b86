import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "./fault";

/**
 * "GET /v1/kyc/list", the query left out, `{address}` for any one part of the path; "*" is every route but the token's,
 * which must be named.
 */
export type Route = string;

/** What befalls whom. */
export type Script = {
  /** From now on, or so many `times`, the route meets this fault. What is told last comes first. */
  harm: (route: Route, fault: Fault, times?: number) => void;
  /** Holds every request of the route back this long, on its way in. */
  delay: (route: Route, delayMs: number) => void;
  /** Everything passes again, or what was told of this route. */
  heal: (route?: Route) => void;
  /** What befalls the next request of this name, "GET /v1/kyc/list". */
  draw: (name: string) => Fault | undefined;
  pause: (name: string) => Promise<void>;
};

type Matches = (name: string) => boolean;

export const TOKEN_ROUTE: Route = "POST /v1/authentication/oauth/access-token";

export function matcher(route: Route): Matches {
  if (route === "*") return (name) => name !== TOKEN_ROUTE;
  const parts = route.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pattern = new RegExp(`^${parts.join("[^/]+")}$`);
  return (name) => pattern.test(name);
}

/** An empty one: everything passes. */
export function writeScript(): Script {
  let harms: { route: Route; matches: Matches; fault: Fault; times: number }[] = [];
  let delays: { route: Route; matches: Matches; delayMs: number }[] = [];
  return {
    harm: (route, fault, times = Infinity) => void harms.unshift({ route, matches: matcher(route), fault, times }),
    delay: (route, delayMs) => void delays.unshift({ route, matches: matcher(route), delayMs }),
    heal: (route) => {
      harms = harms.filter((told) => route !== undefined && told.route !== route);
      delays = delays.filter((told) => route !== undefined && told.route !== route);
    },
    draw: (name) => {
      const next = harms.find(({ matches, times }) => times > 0 && matches(name));
      if (next !== undefined) next.times -= 1;
      return next?.fault;
    },
    pause: async (name) => {
      const delay = delays.find(({ matches }) => matches(name));
      if (delay !== undefined) await sleep(delay.delayMs);
    },
  };
}
