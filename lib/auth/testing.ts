import { UNKNOWN_DEVICE } from "./sign-in-try";
import { enterByPassword, type Opened } from "./entry";
import type { Session } from "./sessions";

/** A session as `getSession` returns it, of somebody who has just signed in. */
export function sessionOf(given: Partial<Session> = {}): Session {
  return {
    idHash: "h",
    ref: "00000000-0000-4000-8000-0000000000aa",
    staffId: "staff-1",
    name: "Ana",
    email: "ana@aurora.example",
    roles: ["compliance"],
    tenant: "aurora",
    provenAt: new Date(),
    isProven: true,
    secondFactor: false,
    mustEnrol: false,
    endsInMs: 30 * 60_000,
    ...given,
  };
}

/** Signs in as from nowhere in particular; null when that is refused, or a second step is left. */
export async function openSession(email: string, password: string): Promise<Opened | null> {
  const entered = await enterByPassword({ email, password, device: UNKNOWN_DEVICE });
  return entered !== null && "sessionId" in entered ? entered : null;
}
