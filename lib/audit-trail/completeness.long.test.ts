import { randomUUID } from "node:crypto";
import { desc, eq, ne } from "drizzle-orm";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { comment } from "@/lib/approvals/comment";
import { givenPolicy } from "@/test/support/approvals";
import { approval } from "@/lib/db/tables/approvals";
import { refuseRequest } from "@/lib/approvals/decide";
import { withdraw } from "@/lib/approvals/withdraw";
import { type Role, ROLES } from "@/lib/permission/permission";
import { staffInvitation, staffMembership, staffSession } from "@/lib/db/tables/auth";
import { endSessionsOf, findSession, moveSession, openSessionFor } from "@/lib/auth/sessions";
import { AppError } from "@/lib/errors/app-error";
import { recordAccess } from "@/lib/audit/access-log";
import { invite, renewInvitation, revokeInvitation } from "@/lib/staff/invitations";
import { changeRoles, disablePerson, enablePerson } from "@/lib/staff/people";
import { auditEvent } from "@/lib/db/tables/audit";
import { actorOf } from "@/test/support/console";
import { givenStage, type Stage } from "@/test/support/stage";
import { changedTables, contentsOf } from "@/test/support/audit";

/** A random choice among the few people, roles and proposals. */
type Chance = { pick: number; roles: Role[] };
type Act = (stage: Stage, chance: Chance) => Promise<unknown>;

const among = <T>(all: readonly T[], pick: number): T | undefined => all[pick % Math.max(1, all.length)];

async function invitationAt({ db }: Stage, pick: number): Promise<string> {
  const all = await db.select({ id: staffInvitation.id }).from(staffInvitation).orderBy(staffInvitation.id);
  return among(all, pick)?.id ?? randomUUID();
}

async function approvalAt({ db }: Stage, pick: number): Promise<string> {
  const all = await db.select({ id: approval.id }).from(approval).orderBy(desc(approval.createdAt), approval.id);
  return among(all, pick)?.id ?? randomUUID();
}

const someoneAt = ({ person, makerId, approverId, admin }: Stage, pick: number) =>
  among([person, makerId, approverId, admin], pick) ?? person;

function signIn({ db }: Stage, staffId: string): Promise<string> {
  const opening = { staffId, tenant: "aurora", how: "password", secondFactor: true } as const;
  return db.transaction((tx) => openSessionFor(tx, opening));
}

/** Acts at random moments: many are refused or change nothing. */
const DEEDS: Readonly<Record<string, Act>> = {
  "sign in": (stage, { pick }) => signIn(stage, someoneAt(stage, pick)),
  "end all sessions": async (stage, { pick }) => {
    const staffId = someoneAt(stage, pick);
    const why = { reason: "ended-by-owner", by: staffId, at: [] } as const;
    await stage.db.transaction((tx) => endSessionsOf(tx, staffId, why));
  },
  "change tenant": async (stage, { pick }) => {
    const session = await findSession(await signIn(stage, stage.person));
    if (session !== null) await moveSession(session, pick % 2 === 0 ? "boreal" : "aurora");
  },
  invite: ({ db, manager }, { pick }) =>
    invite(db, manager, { email: `n${pick % 3}@aurora.example`, name: "Nova Lima", roles: ["support"] }),
  "renew an invitation": async (stage, { pick }) =>
    renewInvitation(stage.db, stage.manager, await invitationAt(stage, pick)),
  "revoke an invitation": async (stage, { pick }) =>
    revokeInvitation(stage.db, stage.manager, await invitationAt(stage, pick)),
  "change roles": async (stage, { pick, roles }) => {
    const staffId = someoneAt(stage, pick);
    const isTheirs = eq(staffMembership.staffId, staffId);
    const [held] = await stage.db.select().from(staffMembership).where(isTheirs);
    await changeRoles(stage.db, stage.manager, { staffId, roles, expected: held?.roles ?? [] });
  },
  disable: (stage, { pick }) => disablePerson(stage.db, stage.manager, someoneAt(stage, pick)),
  enable: (stage, { pick }) => enablePerson(stage.db, stage.manager, someoneAt(stage, pick)),
  propose: ({ propose }) => propose(),
  comment: async (stage, { pick }) => {
    const reader = actorOf("finance", stage.makerId, "approvals:read");
    await comment(reader, { approvalId: await approvalAt(stage, pick), commentId: randomUUID(), text: "Segue" });
  },
  refuse: async (stage, { pick }) =>
    refuseRequest(stage.approver, { approvalId: await approvalAt(stage, pick), reason: "Falta o contrato" }),
  withdraw: async (stage, { pick }) => {
    const maker = actorOf("finance", stage.makerId, "approvals:read");
    await withdraw(maker, { approvalId: await approvalAt(stage, pick) });
  },
  "change the policy": ({ admin }, { pick }) => {
    const policy = { version: pick % 3, rule: "always", amount: null, expiresAfterHours: 24 } as const;
    return givenPolicy(actorOf("admin", admin, "settings:manage"), { kind: "transfer.internal", ...policy });
  },
  "look at a customer": ({ person }, { pick }) =>
    recordAccess(actorOf("support", person, "accounts:read"), `account:00000000-0000-4000-8000-00000000000${pick % 3}`),
};

/** Tables counted by their rows, and the record itself. */
const COUNTED = ["staff_session", "customer_look", "audit_event", "audit_head"];

async function stateOf({ db }: Stage) {
  const { ref, tenant, endedAt } = staffSession;
  const contents = await contentsOf(db);
  const rest = Object.fromEntries(Object.entries(contents).filter(([name]) => !COUNTED.includes(name)));
  return {
    sessions: await db.select({ ref, tenant, endedAt }).from(staffSession),
    accesses: contents["customer_look"]?.length ?? 0,
    rest,
    told: await db.$count(auditEvent, ne(auditEvent.outcome, "REFUSED")),
  };
}
type State = Awaited<ReturnType<typeof stateOf>>;

/** The rows that the difference must have added: a moved session adds one at both tenants, all else one. */
function changesBetween(before: State, after: State): number {
  const known = new Map(before.sessions.map((session) => [session.ref, session]));
  const ofSessions = after.sessions.map(({ ref, tenant, endedAt }) => {
    const was = known.get(ref);
    const hasEnded = endedAt !== null && (was?.endedAt ?? null) === null;
    const hasMoved = was === undefined ? tenant !== "aurora" : was.tenant !== tenant;
    return Number(was === undefined) + Number(hasEnded) + 2 * Number(hasMoved);
  });
  const others = Number(changedTables(before.rest, after.rest).length > 0);
  return ofSessions.reduce((sum, one) => sum + one, 0) + after.accesses - before.accesses + others;
}

const deeds = fc.record({
  name: fc.constantFrom(...Object.keys(DEEDS)),
  pick: fc.nat(11),
  roles: fc.uniqueArray(fc.constantFrom(...ROLES), { minLength: 1, maxLength: 3 }),
});
const SEED = Number(process.env["AUDIT_SEED"] ?? Date.now() % 2 ** 31);
const RUNS = 5;
const STEPS = 25;
const TIMEOUT_MS = 60_000;

it(
  "records every change once, in any order, and nothing else",
  async () => {
    let changes = 0;
    let refusals = 0;
    const run = fc.asyncProperty(fc.array(deeds, { minLength: STEPS, maxLength: STEPS, size: "max" }), async (life) => {
      const stage = await givenStage();
      await stage.db.insert(staffMembership).values({ staffId: stage.person, tenant: "boreal", roles: ["support"] });
      let before = await stateOf(stage);
      for (const { name, ...chance } of life) {
        try {
          await DEEDS[name]?.(stage, chance);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          refusals += 1;
        }
        const after = await stateOf(stage);
        const changed = changesBetween(before, after);
        changes += changed;
        expect({ name, told: after.told - before.told }).toEqual({ name, told: changed });
        before = after;
      }
    });
    await fc.assert(run, { seed: SEED, numRuns: RUNS, endOnFailure: true });
    console.info(`audit record: ${changes} changes on record, ${refusals} refusals (AUDIT_SEED=${SEED})`);
    expect(changes).toBeGreaterThan(RUNS);
  },
  TIMEOUT_MS,
);
