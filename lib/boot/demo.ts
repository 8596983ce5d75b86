import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { noteBalance } from "@/lib/accounts/records";
import { comment } from "@/lib/approvals/comment";
import { authorise, refuseRequest } from "@/lib/approvals/decide";
import { actorNow } from "@/lib/auth/actor-now";
import type { Actor } from "@/lib/permission/grant";
import type { Permission, Role } from "@/lib/permission/permission";
import { provePassword } from "@/lib/auth/sign-in";
import { UNKNOWN_DEVICE } from "@/lib/auth/sign-in-try";
import { AppError } from "@/lib/errors/app-error";
import { provider } from "@/lib/provider/client";
import { getBalance } from "@/lib/provider/operations";
import { providerIntent } from "@/lib/db/tables/provider";
import { completeCpf } from "@/lib/contract/document";
import { DEMO_WATCH, demoIsMade, isDemoBeingMade } from "@/lib/lab/demo-progress";
import { orderDecision } from "@/lib/kyc/decide";
import { claimDemoCases, recallDecisions } from "@/lib/kyc/demo";
import { exportLastMonth } from "@/lib/movements/demo";
import { positionsRecall } from "@/lib/position/demo";
import { admitReveal } from "@/lib/privacy/reveal";
import { revealedObject } from "@/lib/privacy/inputs";
import { demoEmail } from "@/lib/staff/records";
import { accountDocument } from "@/lib/db/document";
import { staff } from "@/lib/db/tables/staff";
import { account } from "@/lib/db/tables/customers";
import { type Db, db } from "@/lib/db/connection";
import { sendTed } from "@/lib/transfers/ted";
import { sendTransfer } from "@/lib/transfers/transfer";
import { executeOrPropose } from "@/lib/approvals/propose";
import { findOldestAccounts, recallTransfers, USER } from "@/lib/transfers/demo";
import { APPROVABLE_WRITES } from "@/lib/writes/approvable";
import { log } from "@/lib/log/log";
import { unattended } from "@/lib/log/work";
import { withdraw } from "@/lib/approvals/withdraw";
import { recallDeposits } from "@/lib/deposits/demo";
import { recallSends } from "@/lib/wallets/demo";
import { isOutOfTurn } from "@/lib/wallets/records";
import type { Watch } from "@/lib/watch/watch";

const ACCOUNTS = 10;
const HELD_AMOUNT = "12000.00";
const PROPOSED_AMOUNT = "6200.00";
const DECLINED_AMOUNT = "5400.00";
const PAYEE = { document: completeCpf("390533447"), name: "Joana Pires Antunes", institutionIspb: "60701190" };
const PAYEE_ACCOUNT = {
  institutionCode: 341,
  branchCode: "0723",
  accountCode: "41857-3",
  bankAccountType: "CACC",
} as const;

type DemoAccount = { accountId: string; onBoardingId: string; userId: string; balance: number };

async function actAs<P extends Permission>(store: Db, { tenant, role }: { tenant: string; role: Role }, permission: P) {
  const [person] = await store
    .select({ id: staff.id })
    .from(staff)
    .where(and(eq(staff.email, demoEmail(role)), eq(staff.isDemo, true)));
  return person === undefined ? null : actorNow(store, { staffId: person.id, tenant }, permission);
}

async function orRefused<T>(ordering: Promise<T>): Promise<T | null> {
  try {
    return await ordering;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { kind, details } = error;
    log.warn({ kind, code: details.code, status: details.status }, "the demo's people were refused");
    return null;
  }
}

async function findRichestFirst(store: Db, actor: Actor<"accounts:read">): Promise<DemoAccount[]> {
  const { tenant } = actor;
  const rows = await findOldestAccounts(store, tenant, ACCOUNTS);
  if (rows.length < ACCOUNTS) return [];
  const found: DemoAccount[] = [];
  for (const { row, onBoardingId } of rows) {
    const { accountId, ref, userId } = row;
    const query = { accountId, documentNumber: accountDocument(row) };
    const { answer, asOf } = await provider.get(actor, getBalance, { query, object: `account:${ref}` });
    const { balance, blockedBalance } = answer.data;
    if (typeof balance !== "string" || typeof blockedBalance !== "string") continue;
    await noteBalance(tenant, ref, { balance, blockedBalance, status: "", asOf });
    found.push({ accountId, onBoardingId, userId: userId ?? USER, balance: Number(balance) });
  }
  return found.toSorted((one, other) => other.balance - one.balance);
}

async function findClosed(store: Db, tenant: string) {
  const isClosed = and(eq(account.tenant, tenant), eq(account.standing, "CLOSED"));
  const [closed] = await store.select({ accountId: account.accountId }).from(account).where(isClosed).limit(1);
  return closed ?? null;
}

type Paying = { from: DemoAccount; to: Pick<DemoAccount, "accountId">; amount: string; description: string };

const pay = (actor: Actor<"transfers:create">, { from, to, amount, description }: Paying) => {
  const between = { accountIdFrom: from.accountId, accountIdTo: to.accountId };
  return orRefused(
    executeOrPropose(sendTransfer, actor, {
      intentId: randomUUID(),
      isRepeat: false,
      seen: [],
      userId: from.userId,
      ...between,
      amount,
      description,
    }),
  );
};

const payOutside = (
  actor: Actor<"transfers:create">,
  { accountId, onBoardingId, userId }: DemoAccount,
  value: string,
) => {
  const order = { intentId: randomUUID(), isRepeat: false, seen: [], userId, onBoardingId, idAccount: accountId };
  return orRefused(executeOrPropose(sendTed, actor, { ...order, ...PAYEE, ...PAYEE_ACCOUNT, value }));
};

async function moveMoney(store: Db, tenant: string): Promise<boolean> {
  const looker = await actAs(store, { tenant, role: "support" }, "accounts:read");
  const support = await actAs(store, { tenant, role: "support" }, "transfers:create");
  const finance = await actAs(store, { tenant, role: "finance" }, "transfers:create");
  const asker = await actAs(store, { tenant, role: "finance" }, "approvals:read");
  const approver = await actAs(store, { tenant, role: "approver" }, "approvals:authorize");
  if (looker === null || support === null || finance === null || asker === null || approver === null) return true;
  const [richest, second, third, ...others] = await findRichestFirst(store, looker);
  const poorest = others.at(-1);
  if (richest === undefined || second === undefined || third === undefined || poorest === undefined) return false;
  // First, because an order records whether it is the first one to its account.
  await orRefused(recallTransfers(store, { looker, makers: [support, finance] }));
  await pay(support, { from: richest, to: poorest, amount: "184.90", description: "Estorno de tarifa" });
  for (const value of ["275.40", "640.00"]) await payOutside(support, second, value);
  const closed = await findClosed(store, tenant);
  if (closed !== null)
    await pay(support, { from: third, to: closed, amount: "310.00", description: "Aluguel da sala" });
  await pay(finance, { from: third, to: richest, amount: "950.00", description: "Acerto de comissões" });
  const held = await pay(finance, {
    from: richest,
    to: third,
    amount: HELD_AMOUNT,
    description: "Compra de equipamentos",
  });
  if (held?.state === "PROPOSED")
    await orRefused(authorise(APPROVABLE_WRITES, approver, { approvalId: held.approvalId }));
  const declined = await pay(finance, {
    from: third,
    to: second,
    amount: DECLINED_AMOUNT,
    description: "Pagamento de nota fiscal",
  });
  if (declined?.state === "PROPOSED") {
    const reason = "Nota fiscal sem o aceite do titular. Peça o aceite e faça um novo pedido.";
    await orRefused(refuseRequest(approver, { approvalId: declined.approvalId, reason }));
  }
  const waiting = await pay(finance, {
    from: second,
    to: third,
    amount: PROPOSED_AMOUNT,
    description: "Adiantamento de obra",
  });
  if (waiting?.state !== "PROPOSED") return true;
  const text = "Pedido do titular por telefone, confirmado pelo número do cadastro.";
  await comment(asker, { approvalId: waiting.approvalId, commentId: randomUUID(), text });
  return true;
}

async function decideCases(store: Db, tenant: string): Promise<void> {
  const assigner = await actAs(store, { tenant, role: "compliance" }, "kyc:assign");
  const decider = await actAs(store, { tenant, role: "compliance" }, "kyc:decide");
  if (assigner === null || decider === null) return;
  for (const decision of await claimDemoCases(store, assigner)) await orRefused(orderDecision(decider, decision));
  await recallDecisions(store, decider);
}

const REVEALS = 2;

/** Gives an auditor something to see: two reveals and a mistyped password. */
async function leaveTraces(store: Db, tenant: string): Promise<void> {
  const support = await actAs(store, { tenant, role: "support" }, "pii:reveal");
  if (support === null) return;
  const isOfTenant = eq(account.tenant, tenant);
  const known = await store
    .select({ id: account.ref })
    .from(account)
    .where(isOfTenant)
    .orderBy(account.ref)
    .limit(REVEALS);
  for (const { id } of known) {
    const object = revealedObject({ kind: "account", id });
    const why = { reason: "service", note: "Titular ao telefone: conferência do cadastro." } as const;
    await admitReveal(support, { code: "personal-data.reveal", object, ...why, detail: { field: "document" } });
  }
  await provePassword({ email: demoEmail("finance"), password: "senha-digitada-errado", device: UNKNOWN_DEVICE });
}

async function exportMovements(store: Db, tenant: string): Promise<void> {
  const finance = await actAs(store, { tenant, role: "finance" }, "statement:export");
  if (finance !== null) await orRefused(exportLastMonth(store, finance));
}

async function sendCoins(store: Db, tenant: string): Promise<boolean> {
  const finance = await actAs(store, { tenant, role: "finance" }, "crypto-transfers:create");
  const asker = await actAs(store, { tenant, role: "finance" }, "approvals:read");
  const approver = await actAs(store, { tenant, role: "approver" }, "approvals:authorize");
  if (finance === null || asker === null || approver === null) return true;
  const reason = "Endereço diferente do que consta no contrato. Confirme com o fornecedor.";
  return recallSends(store, {
    maker: finance,
    agree: (approvalId) => authorise(APPROVABLE_WRITES, approver, { approvalId }),
    reject: (approvalId) => refuseRequest(approver, { approvalId, reason }),
    withdraw: (approvalId) => withdraw(asker, { approvalId }),
    tried: orRefused,
  });
}

async function expectDeposits(store: Db, tenant: string): Promise<boolean> {
  const finance = await actAs(store, { tenant, role: "finance" }, "wallets:label");
  return finance === null || (await recallDeposits(store, finance));
}

/**
 * Gives the demo's people some work, so that no desk is empty: transfers of each outcome and of recent weeks,
 * decisions, and pending requests. Runs once, on a database without orders.
 */
export function demoWatch(): Watch {
  const known = new Set<string>();
  const recalled = new Set<string>();
  const sent = new Set<string>();
  const expected = new Set<string>();
  const recallPositions = positionsRecall();
  const recallPast = async (store: Db, tenant: string): Promise<boolean> => {
    const accountant = await actAs(store, { tenant, role: "approver" }, "accounts:read");
    const treasurer = await actAs(store, { tenant, role: "finance" }, "wallets:read");
    const rater = await actAs(store, { tenant, role: "finance" }, "position:rate");
    if (accountant === null || treasurer === null || rater === null) return true;
    try {
      return await recallPositions(store, { accountant, treasurer, rater });
    } catch (error) {
      if (isOutOfTurn(error)) return false;
      throw error;
    }
  };
  const prepare = async (tenant: string): Promise<void> => {
    const store = await db();
    if (!known.has(tenant)) {
      const isUnused = (await store.$count(providerIntent, eq(providerIntent.tenant, tenant))) === 0;
      if (isUnused && !(await moveMoney(store, tenant))) return;
      known.add(tenant);
      if (isUnused) {
        await decideCases(store, tenant);
        await leaveTraces(store, tenant);
        await exportMovements(store, tenant);
      }
    }
    if (!sent.has(tenant) && (await sendCoins(store, tenant))) sent.add(tenant);
    if (!expected.has(tenant) && (await expectDeposits(store, tenant))) expected.add(tenant);
    if (!recalled.has(tenant) && (await recallPast(store, tenant))) recalled.add(tenant);
    const isWhole = [sent, expected, recalled].every((done) => done.has(tenant));
    if (isWhole && (await isDemoBeingMade(store, tenant))) await demoIsMade(store, tenant);
  };
  return {
    name: DEMO_WATCH,
    intervalMs: 3_000,
    sweep: (tenant) => unattended(DEMO_WATCH, () => prepare(tenant)),
  };
}
