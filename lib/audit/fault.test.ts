import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { lookUp } from "@/lib/accounts/look-up";
import { comment } from "@/lib/approvals/comment";
import { changePolicy } from "@/lib/approvals/policy";
import { givenDesk } from "@/lib/approvals/testing";
import { refuse, withdraw } from "@/lib/approvals/verdict";
import { endSession, findSession, moveSession, openSessionFor } from "@/lib/auth/sessions";
import { decide } from "@/lib/kyc/decide";
import { startKyc } from "@/lib/kyc/testing";
import { follow } from "@/lib/onboarding/follow";
import { look } from "@/lib/privacy/look";
import { invite, renewInvitation, revokeInvitation } from "@/lib/staff/invitations";
import { changeRoles, disablePerson, endSessionsFor } from "@/lib/staff/people";
import { addStaff } from "@/lib/staff/records";
import { auditEvent } from "@/lib/store/schema";
import { actorOf, givenEnv, givenStaff } from "@/lib/testing";
import { internalOrder } from "@/lib/transfers/testing";
import { transferInternal } from "@/lib/transfers/transfer";

let desk: Awaited<ReturnType<typeof givenDesk>>;
let admin = "";
let person = "";
beforeEach(async () => {
  desk = await givenDesk();
  const [aurora] = givenEnv().tenants;
  givenEnv({ tenants: [aurora, { ...aurora, clientId: "boreal", name: "Boreal" }] });
  admin = await givenStaff(desk.db, "admin");
  person = await givenStaff(desk.db, "support");
});

const manager = () => ({ id: admin, tenant: "aurora" });
const reader = () => actorOf("finance", desk.makerId, "approvals:read");
const support = <P extends "accounts:read" | "onboarding:follow">(permission: P) =>
  actorOf("support", person, permission);
const expected = { status: "PROCESSING", process: "kyc-backgroundcheck" } as const;
const policy = { kind: "transfer.internal", version: 0, rule: "always", amount: null, expiresAfterHours: 24 } as const;
const invitation = { email: "nova@aurora.example", name: "Nova Lima", roles: ["support" as const] };

async function openSession() {
  const opening = { staffId: person, tenant: "aurora", how: "password", secondFactor: false } as const;
  const id = await desk.db.transaction((tx) => openSessionFor(tx, opening));
  const session = await findSession(id);
  if (session === null) throw new Error("the session did not open");
  return { id, session };
}

type Write = () => Promise<unknown>;

/** Each readies what it needs and answers with the write itself. */
const WRITES: Record<string, () => Promise<Write>> = {
  "a sign-in": async () => openSession,
  "a sign-out": async () => {
    const { id } = await openSession();
    return () => endSession(id);
  },
  "a refused change of tenant": async () => {
    const { session } = await openSession();
    return () => moveSession(session, "boreal");
  },
  "a look at a customer": async () => () => look(support("accounts:read"), `account:${randomUUID()}`),
  "a look-up": async () => () => lookUp(support("accounts:read"), { query: desk.parties[0].onBoardingId }),
  "following an onboarding": async () => () =>
    follow(support("onboarding:follow"), { query: desk.parties[0].onBoardingId, intentId: randomUUID() }),
  "a KYC decision": async () => {
    const kycUUID = await startKyc(desk.service);
    const compliance = actorOf("compliance", await givenStaff(desk.db, "compliance"), "kyc:decide");
    const decision = {
      intentId: randomUUID(),
      kycUUID,
      decision: "APPROVED",
      reason: "Documentos conferem",
      expected,
    } as const;
    return () => decide(compliance, decision);
  },
  "a transfer": async () => () => transferInternal(desk.maker, internalOrder(desk.parties)),
  "a proposal": async () => () => desk.propose(),
  "an authorisation": async () => {
    const id = await desk.propose();
    return () => desk.authorising(id);
  },
  "a refusal": async () => {
    const approvalId = await desk.propose();
    return () => refuse(desk.approver, { approvalId, reason: "Falta o contrato" });
  },
  "a withdrawal": async () => {
    const approvalId = await desk.propose();
    return () => withdraw(reader(), { approvalId });
  },
  "a comment": async () => {
    const approvalId = await desk.propose();
    return () => comment(reader(), { approvalId, commentId: randomUUID(), text: "Segue o contrato" });
  },
  "a change of the approval policy": async () => () => changePolicy(actorOf("admin", admin, "settings:manage"), policy),
  "an account by command": async () => () =>
    addStaff(desk.db, {
      email: "rui@aurora.example",
      name: "Rui",
      roles: ["support"],
      password: "uma senha bem longa",
      tenants: ["aurora"],
    }),
  "a change of roles": async () => () =>
    changeRoles(desk.db, manager(), { staffId: person, roles: ["finance"], expected: ["support"] }),
  "disabling a person": async () => () => disablePerson(desk.db, manager(), person),
  "ending a person's sessions": async () => {
    await openSession();
    return () => endSessionsFor(desk.db, manager(), person);
  },
  "an invitation": async () => () => invite(desk.db, manager(), invitation),
  "a renewed invitation": async () => {
    const { id } = await invite(desk.db, manager(), invitation);
    return () => renewInvitation(desk.db, manager(), id);
  },
  "a revoked invitation": async () => {
    const { id } = await invite(desk.db, manager(), invitation);
    return () => revokeInvitation(desk.db, manager(), id);
  },
};

/** What runs by itself, and what was called: no write of a person's. */
const BESIDES = ["bank_call", "bank_token", "bank_budget", "lease", "watch_state", "live_event"];
const Contents = z.object({ rows: z.array(z.object({ name: z.string() })) });

/** Every row of every table, as one text each. */
async function contents(): Promise<Record<string, string>> {
  const tables = await desk.db.execute(sql`select tablename as name from pg_tables where schemaname = 'public'`);
  const names = Contents.parse(tables)
    .rows.map(({ name }) => name)
    .filter((name) => !BESIDES.includes(name));
  const kept: Record<string, string> = {};
  for (const name of names) {
    const all = sql`select coalesce(string_agg(kept::text, '|' order by kept::text), '') as name from ${sql.identifier(name)} kept`;
    kept[name] = Contents.parse(await desk.db.execute(all)).rows[0]?.name ?? "";
  }
  return kept;
}

async function failing<T>(work: () => Promise<T>): Promise<T> {
  await desk.db.execute(sql`create or replace function fail_record() returns trigger language plpgsql as
    $$ begin raise exception 'no room for the record'; end; $$`);
  await desk.db.execute(
    sql`create trigger fail_record before insert on audit_event for each row execute function fail_record()`,
  );
  try {
    return await work();
  } finally {
    await desk.db.execute(sql`drop trigger fail_record on audit_event`);
  }
}

let effects = 0;
afterAll(() => {
  console.info(`audit record: ${Object.keys(WRITES).length} writes while nothing can be recorded: ${effects} effects`);
});

describe("while nothing can be put on record", () => {
  it.each(Object.entries(WRITES))("%s has no effect", async (_, ready) => {
    const write = await ready();
    const before = await contents();
    const sentBefore = desk.sent.sent;
    const [settled] = await failing(() => Promise.allSettled([write()]));
    const after = await contents();
    const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
    effects += changed.length;
    expect(settled.status).toBe("rejected");
    expect(changed).toEqual([]);
    expect(desk.sent.sent).toBe(sentBefore);
  });
});

it("whatever is done, and in whatever order, each change is on record once", async () => {
  const { db } = desk;
  let random = 20_261_121;
  const next = (below: number) => (random = (random * 48_271) % 2_147_483_647) % below;
  let changes = 0;
  const began = await db.$count(auditEvent);
  const deeds: Write[] = [
    async () => openSession(),
    async () => invite(db, manager(), { ...invitation, email: `n${changes}@aurora.example` }),
    async () => look(support("accounts:read"), `account:${randomUUID()}`),
    async () => desk.propose(),
    async () =>
      comment(reader(), { approvalId: await desk.propose(), commentId: randomUUID(), text: "Segue" }).then(
        () => (changes += 1),
      ),
  ];
  for (let turn = 0; turn < 60; turn += 1) {
    await deeds[next(deeds.length)]?.();
    changes += 1;
  }
  expect(await db.$count(auditEvent)).toBe(began + changes);
});
