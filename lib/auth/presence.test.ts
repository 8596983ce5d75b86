import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { liveEvent } from "@/lib/db/tables/live";
import { addStaff } from "@/lib/staff/records";
import { staff } from "@/lib/db/tables/staff";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import {
  endOthers,
  endOwn,
  endSession,
  endSessionsOf,
  endTimedOut,
  findEnding,
  findSession,
  findSessions,
  notePresence,
  readOwnSessions,
  type Session,
} from "./sessions";
import { signedInBeside } from "@/test/support/slices";
import { openSession } from "@/test/support/auth";
import { staffSession } from "@/lib/db/tables/auth";

const PASSWORD = "a good long password";
const EMAIL = "ana@aurora.example";
const MINUTE = 60_000;

let db: Db;
let sessionId = "";
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  const ana = { email: EMAIL, name: "Ana", roles: ["support" as const], password: PASSWORD, tenants: ["aurora"] };
  await addStaff(db, ana);
  sessionId = await signIn();
});

async function signIn(email = EMAIL): Promise<string> {
  return (await openSession(email, PASSWORD))?.sessionId ?? "";
}
async function living(id = sessionId): Promise<Session> {
  const session = await findSession(id);
  if (session === null) throw new Error("the session has ended");
  return session;
}
const before = (minutes: number) => sql`clock_timestamp() - ${minutes} * interval '1 minute'`;
const lastSeen = (minutes: number) => db.update(staffSession).set({ seenAt: before(minutes) });
const endings = () =>
  db
    .select({ code: auditEvent.code, actor: auditEvent.actor, detail: auditEvent.detail })
    .from(auditEvent)
    .where(sql`${auditEvent.code} in ('session.end', 'session.idle')`);

describe("a session without a sign of its person", () => {
  it("ends an idle session after half an hour, wherever it is checked", async () => {
    await lastSeen(29.9);
    const { idHash, endsInMs } = await living();
    expect(endsInMs).toBeGreaterThan(0);
    expect(endsInMs).toBeLessThan(7_000);
    await lastSeen(30.1);
    expect(await findSession(sessionId)).toBeNull();
    expect(await findSessions([{ idHash, address: null }])).toEqual([null]);
    expect(await findEnding(sessionId)).toBe("idle");
  });

  it("does not extend a session for background requests", async () => {
    await lastSeen(29);
    const { endsInMs } = await living();
    await findSessions([{ idHash: (await living()).idHash, address: null }]);
    expect((await living()).endsInMs).toBeLessThanOrEqual(endsInMs);
  });

  it("restarts the half hour on activity, but never after the session's end", async () => {
    const session = await living();
    await lastSeen(29);
    const endsInMs = await notePresence(session);
    expect(endsInMs).toBeGreaterThan(29 * MINUTE);
    expect(endsInMs).toBeLessThanOrEqual(30 * MINUTE);
    await lastSeen(31);
    expect(await notePresence(session)).toBeNull();
    expect(await findSession(sessionId)).toBeNull();
  });

  it("ends an idle session after the configured time", async () => {
    givenEnv({ sessionIdleMs: 5 * MINUTE });
    await lastSeen(6);
    expect(await findSession(sessionId)).toBeNull();
  });
});

describe("a session", () => {
  it("ends a session after twelve hours, whatever the person does", async () => {
    const session = await living();
    await db.update(staffSession).set({ expiresAt: sql`clock_timestamp() + interval '1 minute'` });
    expect(await notePresence(session)).toBeLessThanOrEqual(MINUTE);
    await db.update(staffSession).set({ expiresAt: before(0) });
    expect(await findSession(sessionId)).toBeNull();
    expect(await findEnding(sessionId)).toBe("expired");
  });

  it("records each session's expiry once and keeps the others open", async () => {
    const other = await signIn();
    const { idHash, ref, staffId } = await living();
    await db
      .update(staffSession)
      .set({ seenAt: before(31) })
      .where(eq(staffSession.idHash, idHash));
    await endTimedOut(db, "boreal");
    expect(await endings()).toEqual([]);
    await endTimedOut(db, "aurora");
    await endTimedOut(db, "aurora");
    expect(await endings()).toEqual([
      { code: "session.idle", actor: "watch:sessions", detail: { reason: "idle", session: ref } },
    ]);
    expect(await findEnding(sessionId)).toBe("idle");
    expect((await living(other)).staffId).toBe(staffId);
  });

  it("expires many sessions in batches that let sign-ins through", async () => {
    const [row] = await db.select().from(staffSession);
    if (row === undefined) throw new Error("nobody is signed in");
    const others = Array.from({ length: 60 }, (_, n) => ({ ...row, ref: randomUUID(), idHash: `hash ${n}` }));
    await db.insert(staffSession).values(others);
    await lastSeen(31);
    const codes = await signedInBeside(db, () => endTimedOut(db, "aurora"));
    expect(codes.filter((code) => code === "session.idle")).toHaveLength(61);
    expect(codes.at(-1)).toBe("session.idle");
  });

  it("says why a session ended", async () => {
    await endSession(sessionId);
    expect(await findEnding(sessionId)).toBe("signed-out");
    const disabled = await signIn();
    await db.update(staff).set({ disabledAt: new Date() });
    expect(await findEnding(disabled)).toBe("disabled");
    expect(await findEnding("made up")).toBeNull();
  });

  it("announces a session's end at once to every instance with a stream", async () => {
    const { staffId } = await living();
    await db.delete(liveEvent);
    await endSession(sessionId);
    const { tenant, topic, object } = liveEvent;
    const told = await db.select({ tenant, topic, object }).from(liveEvent);
    expect(told).toEqual([{ tenant: "aurora", topic: "staff", object: staffId }]);
  });

  it("ends a person's sessions in the role change's transaction", async () => {
    const other = await signIn();
    const { staffId } = await living();
    const why = { reason: "roles-changed", by: "command", at: [] } as const;
    const failed = db.transaction(async (tx) => {
      await endSessionsOf(tx, staffId, why);
      throw new Error("the change failed");
    });
    await expect(failed).rejects.toThrow("the change failed");
    expect(await findSession(sessionId)).not.toBeNull();
    expect(await db.transaction((tx) => endSessionsOf(tx, staffId, why))).toBe(2);
    for (const id of [sessionId, other]) expect(await findEnding(id)).toBe("roles-changed");
    expect((await endings()).map(({ actor }) => actor)).toEqual(["command", "command"]);
  });
});

describe("one's own sessions", () => {
  it("lists one's own sessions, this one first", async () => {
    const rui = { email: "rui@aurora.example", name: "Rui", roles: ["admin" as const], password: PASSWORD };
    await addStaff(db, { ...rui, tenants: ["aurora"] });
    const theirs = await living();
    await signIn();
    await signIn(rui.email);
    const own = await readOwnSessions(db, theirs);
    expect(own.map(({ isThis }) => isThis)).toEqual([true, false]);
    expect(own[0]).toMatchObject({ ref: theirs.ref, how: "password", secondFactor: false });
    expect(JSON.stringify(own)).not.toContain(theirs.idHash);
  });

  it("ends one's own sessions one by one, or all but this one", async () => {
    const second = await signIn();
    const third = await signIn();
    const here = await living();
    expect(await endOwn(here, (await living(second)).ref)).toBe(true);
    expect(await findEnding(second)).toBe("ended-by-owner");
    expect(await endOthers(here)).toBe(1);
    expect(await findSession(third)).toBeNull();
    expect(await findSession(sessionId)).not.toBeNull();
  });

  it("refuses to end another person's session", async () => {
    const rui = { email: "rui@aurora.example", name: "Rui", roles: ["admin" as const], password: PASSWORD };
    await addStaff(db, { ...rui, tenants: ["aurora"] });
    const ruis = await living(await signIn(rui.email));
    expect(await endOwn(ruis, (await living()).ref)).toBe(false);
    expect(await endOwn(ruis, "00000000-0000-4000-8000-000000000000")).toBe(false);
    expect(await findSession(sessionId)).not.toBeNull();
  });
});
