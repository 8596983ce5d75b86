import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";

type Agents = { kept: HttpAgent; fresh: HttpAgent };

declare global {
  var retaguardaWireAgents: Readonly<{ http: Agents; https: Agents }> | undefined;
}

/** More than a whole minute's calls, all of them hanging. */
const MOST_SOCKETS = 256;
/** Shorter than servers commonly keep idle connections (5 s), so that ours is seldom the one that finds out. */
const IDLE_MS = 4_000;

// The latest first: those that a burst left behind go idle and close.
const KEPT = {
  keepAlive: true,
  maxSockets: MOST_SOCKETS,
  maxFreeSockets: 32,
  timeout: IDLE_MS,
  scheduling: "lifo",
} as const;
const FRESH = { keepAlive: false, maxTotalSockets: MOST_SOCKETS } as const;
// Whatever the environment says of it: who is not verified gets no bearer.
const VERIFIED = { rejectUnauthorized: true, minVersion: "TLSv1.2" } as const;

/** The connections of this process, kept for each origin apart: Next loads modules several times, and all share them. */
export function agentsOf({ protocol }: URL): Agents {
  globalThis.retaguardaWireAgents ??= {
    http: { kept: new HttpAgent(KEPT), fresh: new HttpAgent(FRESH) },
    https: { kept: new HttpsAgent({ ...KEPT, ...VERIFIED }), fresh: new HttpsAgent({ ...FRESH, ...VERIFIED }) },
  };
  return globalThis.retaguardaWireAgents[protocol === "https:" ? "https" : "http"];
}
