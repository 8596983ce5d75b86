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
    ...given,
  };
}
