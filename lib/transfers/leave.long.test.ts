import { APPROVABLE_WRITES } from "@/lib/writes/approvable";
import { NO_LIMITS } from "@/lib/permission/limits";
import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import { closeNow, proposeClosure } from "@/lib/accounts/close";
import { lookUp } from "@/lib/accounts/look-up";
import { authorise } from "@/lib/approvals/decide";
import { withdraw } from "@/lib/approvals/withdraw";
import { orderPolicyChange } from "@/lib/approvals/change-policy";
import { approval } from "@/lib/db/tables/approvals";
import { getSession } from "@/lib/auth/session";
import { AppError } from "@/lib/errors/app-error";
import { requestAccount } from "@/lib/onboarding/create";
import { PROOF } from "@/test/support/accounts";
import { givenFixture } from "@/test/support/approvals";
import { sessionOf } from "@/test/support/auth";
import { actorOf, givenStaff } from "@/test/support/console";
import { accountOrder } from "@/test/support/onboarding";
import { type Account, statementOf } from "@/test/support/service/transfers";
import {
  externalOrder,
  internalOrder,
  openAccount,
  orderExternalTransfer,
  orderInternalTransfer,
} from "@/test/support/transfers";
import { getTransfer } from "./queries";

type Desk = Awaited<ReturnType<typeof givenFixture>>;

/** One person's acts and a colleague's authorisations. */
type Life = {
  personId: string;
  parties: readonly [Account, Account];
  closable: string;
  transfers: Set<string>;
  authorised: Map<string, string>;
};

type Chance = { pick: number; amount: number; isUsed: boolean };
type Step = (desk: Desk, life: Life, chance: Chance) => Promise<unknown>;

/** Ids of every run: a person knows a colleague's as well as their own. */
const usedIds: string[] = [];

function idFor({ pick, isUsed }: Chance): string {
  const used = usedIds.at(-1 - (pick % Math.max(1, Math.min(usedIds.length, 12))));
  if (isUsed && used !== undefined) return used;
  const id = randomUUID();
  usedIds.push(id);
  return id;
}

const centsOf = (amount: string | number) => Math.round(Number(amount) * 100);
const reais = (cents: number) => (cents / 100).toFixed(2);

const readerOf = ({ personId }: Life) => actorOf("finance", personId, "approvals:read");
const closerOf = ({ personId }: Life) => actorOf("finance", personId, "accounts:close");

async function approvalAt({ db }: Desk, { personId }: Life, pick: number) {
  const own = await db.select().from(approval).where(eq(approval.makerId, personId)).orderBy(approval.createdAt);
  return own.at(pick % Math.max(1, own.length));
}

const closureOf = ({ closable: ref }: Life, intentId: string) => ({
  intentId,
  ref,
  userId: "user-1",
  reason: "A pedido do titular",
});

async function ordering(life: Life, intentId: string, order: Promise<unknown>): Promise<void> {
  life.transfers.add(intentId);
  await order;
}

const STEPS: Readonly<Record<string, Step>> = {
  "order a transfer": (_desk, life, chance) => {
    const intentId = idFor(chance);
    const order = internalOrder(life.parties, { intentId, amount: reais(chance.amount), isRepeat: true });
    const maker = actorOf("finance", life.personId, "transfers:create");
    return ordering(life, intentId, orderInternalTransfer(maker, order));
  },
  "order a TED": (_desk, life, chance) => {
    const intentId = idFor(chance);
    const order = { ...externalOrder(life.parties[0], { intentId, value: reais(chance.amount) }), isRepeat: true };
    const maker = actorOf("finance", life.personId, "transfers:create");
    return ordering(life, intentId, orderExternalTransfer(maker, order));
  },
  "propose a closure": (_desk, life, chance) => proposeClosure(closerOf(life), closureOf(life, idFor(chance))),
  "close alone": (_desk, life, chance) => closeNow(closerOf(life), { ...closureOf(life, idFor(chance)), ...PROOF }),
  "ask for an account": (_desk, { personId }, chance) =>
    requestAccount(actorOf("support", personId, "onboarding:create"), accountOrder({ intentId: idFor(chance) })),
  "loosen the policy": (_desk, { personId }, chance) => {
    const policy = { kind: "transfer.internal", version: 0, rule: "never", amount: null, ...NO_LIMITS } as const;
    const admin = actorOf("admin", personId, "settings:manage");
    return orderPolicyChange(admin, { intentId: idFor(chance), ...policy, expiresAfterHours: 24 });
  },
  withdraw: async (desk, life, { pick }) => {
    const row = await approvalAt(desk, life, pick);
    if (row !== undefined) await withdraw(readerOf(life), { approvalId: row.id });
  },
  "authorise it oneself": async (desk, life, { pick }) => {
    const row = await approvalAt(desk, life, pick);
    const approver = actorOf("approver", life.personId, "approvals:authorize");
    if (row !== undefined) await authorise(APPROVABLE_WRITES, approver, { approvalId: row.id });
  },
  "have a colleague authorise it": async (desk, life, { pick }) => {
    const isPending = and(eq(approval.makerId, life.personId), eq(approval.state, "PENDING"));
    const pending = await desk.db.select().from(approval).where(isPending).orderBy(approval.createdAt);
    const row = pending.at(pick % Math.max(1, pending.length));
    if (row === undefined) return;
    const { state } = await authorise(APPROVABLE_WRITES, desk.approver, { approvalId: row.id });
    if (state === "EXECUTED" && row.kind.startsWith("transfer.")) life.authorised.set(row.intentId, row.id);
  },
};

const refused = (error: unknown) => {
  if (!(error instanceof AppError)) throw error;
};

async function givenDesk(): Promise<Desk> {
  usedIds.length = 0;
  const desk = await givenFixture();
  await givenStaff(desk.db, "admin");
  return desk;
}

async function givenLife({ db, service }: Desk): Promise<Life> {
  const personId = await givenStaff(db, "finance", "support", "approver", "admin");
  const parties = [await openAccount(service, 50_000), await openAccount(service)] as const;
  const { onBoardingId } = await openAccount(service);
  const found = await lookUp(actorOf("finance", personId, "accounts:read"), { query: onBoardingId });
  const closable = "accountRef" in found ? found.accountRef : "";
  return { personId, parties, closable, transfers: new Set(), authorised: new Map() };
}

/** From each transfer's screen, and from the provider's own records. */
async function readLife({ service }: Desk, { personId, parties, transfers, authorised }: Life) {
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: personId, roles: ["finance"] }));
  const records = (await Promise.all([...transfers].map((id) => getTransfer(id)))).filter((record) => record !== null);
  const own = records.filter(({ row }) => row.isMine);
  const shown = own.filter(({ events }) => events.some(({ kind }) => kind === "authorised"));
  const claims = new Map(shown.map(({ row }) => [row.id, row.approvalId]));
  const debits = (await statementOf(service, parties[0])).filter(({ direction }) => direction === "DEBIT");
  const left = debits.reduce((sum, { amount }) => sum + centsOf(amount), 0);
  const agreed = own.filter(({ row }) => authorised.has(row.id));
  const byTwo = agreed.reduce((sum, { row }) => sum + centsOf(row.amount ?? "0"), 0);
  return { claims, alone: left - byTwo };
}

const OFTEN = ["order a transfer", "order a TED", "propose a closure", "have a colleague authorise it"];
const steps = fc.record({
  name: fc.constantFrom(...Object.keys(STEPS), ...OFTEN),
  pick: fc.nat(11),
  amount: fc.integer({ min: 50_000, max: 510_000 }),
  isUsed: fc.boolean(),
});

const SEED = Number(process.env["ONE_ID_SEED"] ?? Date.now() % 2 ** 31);
const LIVES = 200;
const LENGTH = 12;
const LIMIT = 500_000;

it("keeps 200 lives of one person within the policy, and names each approver", async () => {
  let desk = await givenDesk();
  const seen = { lives: 0, alone: 0, authorised: 0, refused: 0, mostAlone: 0 };
  const run = fc.asyncProperty(fc.array(steps, { minLength: LENGTH, maxLength: LENGTH, size: "max" }), async (life) => {
    // The provider answers a limited number of calls a minute.
    if (seen.lives % 10 === 9) desk = await givenDesk();
    seen.lives += 1;
    const lived = await givenLife(desk);
    for (const { name, ...chance } of life) {
      await STEPS[name]?.(desk, lived, chance).catch((error: unknown) => {
        refused(error);
        seen.refused += 1;
      });
    }
    const { claims, alone } = await readLife(desk, lived);
    expect(alone).toBeLessThan(LIMIT);
    expect(claims).toEqual(lived.authorised);
    seen.alone += Number(alone > 0);
    seen.authorised += claims.size;
    seen.mostAlone = Math.max(seen.mostAlone, alone);
  });
  await fc.assert(run, { seed: SEED, numRuns: LIVES, endOnFailure: true });
  expect(seen.authorised).toBeGreaterThan(0);
  const { alone, authorised, refused: turnedAway, mostAlone } = seen;
  console.info(
    `seed ${SEED}: ${LIVES} lives, ${turnedAway} steps refused, alone in ${alone} and ${reais(mostAlone)} at most, ${authorised} authorised`,
  );
}, 300_000);
