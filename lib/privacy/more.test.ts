import { APPROVABLE_WRITES } from "@/lib/writes/approvable";
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { clearRecordField } from "@/lib/accounts/records";
import { authorise, refuseRequest } from "@/lib/approvals/decide";
import { getSession } from "@/lib/auth/session";
import { auditEvent } from "@/lib/db/tables/audit";
import { reveal } from "@/lib/db/tables/privacy";
import type { Db } from "@/lib/db/connection";
import { sessionOf } from "@/test/support/auth";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { givenAccount } from "@/test/support/privacy";
import { askForMore } from "./more";
import { ALONE_PER_HOUR, revealOne } from "./reveal";

const NOTE = "Fila de reclamações de março, protocolo 8731";
const secondPerson = { kind: "forbidden", details: { code: "reveal-second-person" } };

let db: Db;
let ana = "";
let rui = "";
let ref = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  [ana, rui] = [await givenStaff(db, "support"), await givenStaff(db, "approver")];
  ref = await givenAccount(db, "52998224725");
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: ana, roles: ["support"], isProven: true }));
});

const person = () => actorOf("support", ana, "pii:reveal");
const approver = () => actorOf("approver", rui, "approvals:authorize");
const show = () => {
  const target = { kind: "account", id: ref, field: "document", member: null, path: null } as const;
  return revealOne(person(), { ...target, reason: "service", note: NOTE }, clearRecordField);
};
const ten = () => Promise.allSettled(Array.from({ length: 10 }, show));
const shown = (answers: readonly PromiseSettledResult<unknown>[]) =>
  answers.filter(({ status }) => status === "fulfilled").length;

async function givenLooks(times: number): Promise<void> {
  const look = { tenant: "aurora", actor: ana, object: `account:${ref}`, reason: "service", noteSealed: "x" } as const;
  const createdAt = sql`clock_timestamp()`;
  await db.insert(reveal).values(Array.from({ length: times }, () => ({ ...look, id: randomUUID(), createdAt })));
}

async function ask(): Promise<string> {
  const asked = await askForMore(person(), { intentId: randomUUID(), note: NOTE });
  if (asked === null) throw new Error("nobody else was asked");
  return asked.approvalId;
}

describe("clear data beyond sixty in an hour", () => {
  it("limits ten concurrent people to what is left", async () => {
    await givenLooks(ALONE_PER_HOUR - 4);
    const answers = await ten();
    expect(shown(answers)).toBe(4);
    for (const one of answers.filter(({ status }) => status === "rejected"))
      expect(one).toMatchObject({ reason: secondPerson });
    expect(await db.$count(reveal)).toBe(ALONE_PER_HOUR);
  });

  it("allows sixty more for an hour once a second person agrees", async () => {
    await givenLooks(ALONE_PER_HOUR);
    const approvalId = await ask();
    await expect(show()).rejects.toMatchObject(secondPerson);
    expect(await authorise(APPROVABLE_WRITES, approver(), { approvalId })).toMatchObject({ state: "EXECUTED" });
    await givenLooks(ALONE_PER_HOUR - 4);
    expect(shown(await ten())).toBe(4);
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.update(auditEvent).set({ at: sql`${auditEvent.at} - interval '1 hour'` });
    });
    await expect(show()).rejects.toMatchObject(secondPerson);
  });

  it("asks somebody else to approve, with the count and the reason", async () => {
    await givenLooks(ALONE_PER_HOUR);
    const approvalId = await ask();
    const own = actorOf("approver", ana, "approvals:authorize");
    await expect(authorise(APPROVABLE_WRITES, own, { approvalId })).rejects.toMatchObject({
      details: { code: "approval-own" },
    });
    await refuseRequest(approver(), { approvalId, reason: "Sem motivo" });
    await expect(show()).rejects.toMatchObject(secondPerson);
  });

  it("allows one request at a time, and only for oneself", async () => {
    const asked = await Promise.allSettled(Array.from({ length: 10 }, ask));
    expect(shown(asked)).toBe(1);
    const isOpen = { reason: { details: { code: "approval-open" } } };
    for (const one of asked.filter(({ status }) => status === "rejected")) expect(one).toMatchObject(isOpen);
    const [row] = await db.select().from(auditEvent);
    expect(row).toMatchObject({ code: "approval.propose", detail: { kind: "privacy.more", about: `staff:${ana}` } });
  });
});
