import { APPROVABLE_WRITES } from "@/lib/writes/approvable";
import { randomUUID } from "node:crypto";
import { eq, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { agree, authorise } from "@/lib/approvals/decide";
import { approval, approvalPolicy } from "@/lib/db/tables/approvals";
import { type Manner, otherProvider } from "@/test/other-provider";
import { providerIntent } from "@/lib/db/tables/provider";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "./console";
import { givenIntents, openAccount } from "./transfers";
import type { Harness } from "@/test/support/service/harness";
import type { Account } from "@/test/support/service/transfers";
import { carryOutClosure, closeNow, proposeClosure } from "@/lib/accounts/close";
import { lookUp } from "@/lib/accounts/look-up";

/** The holder's secrets, and canaries that must appear nowhere afterwards. */
export const PROOF = { userAccessToken: "canary-holder-token-4187", code: "918273" };

const Info = z.object({ data: z.object({ status: z.string() }) });

/** The account's status in the provider's own record. */
export async function statusOf(service: Harness, { accountId, documentNumber }: Account): Promise<string> {
  const asked = new URLSearchParams({ accountId, documentNumber });
  const { body } = await service.send("GET", `/v1/bank-accounts/getAccountInfoNaturalPerson?${asked}`);
  return Info.parse(body).data.status;
}

/** A person who closes accounts, one who authorises, and an open account without money, looked up. */
export async function givenClosing() {
  givenEnv();
  const db = await givenStore();
  const paths: string[] = [];
  const provider: { manner: Manner } = { manner: {} };
  const service = await givenService(
    ({ url }) => paths.push(new URL(url).pathname),
    (serve) => (request) => otherProvider(serve, provider.manner)(request),
  );
  const sent = givenIntents();
  const makerId = await givenStaff(db, "support");
  const approverId = await givenStaff(db, "approver");
  const maker = actorOf("support", makerId, "accounts:close");
  const approver = actorOf("approver", approverId, "approvals:authorize");
  const held = await openAccount(service);
  const found = await lookUp(actorOf("support", makerId, "accounts:read"), { query: held.onBoardingId });
  const ref = "accountRef" in found ? found.accountRef : "";

  const form = (changes: { intentId?: string; reason?: string } = {}) => ({
    intentId: randomUUID(),
    ref,
    userId: "user-1",
    reason: "A pedido do titular",
    ...changes,
  });
  /** Like an attacker who can write to the database directly. */
  const tamper = (change: SQL) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(change);
    });
  const propose = async (): Promise<string> => (await proposeClosure(maker, form())).approvalId;
  return {
    db,
    service,
    provider,
    sent,
    makerId,
    maker,
    approverId,
    approver,
    held,
    ref,
    form,
    tamper,
    propose,
    /** How often the provider was asked to close something. */
    asked: () => paths.filter((path) => path.endsWith("/closeAccount")).length,
    status: () => statusOf(service, held),
    credit: (amount: number) => service.control("POST", `/sandbox/bank-accounts/${held.accountId}/credit`, { amount }),
    authorising: (approvalId: string, by = approver) => authorise(APPROVABLE_WRITES, by, { approvalId }),
    /** An authorised proposal that waits for its maker. */
    ready: async (): Promise<string> => (await agree(approver, await propose())).id,
    carrying: (approvalId: string, proof = PROOF, by = maker) => carryOutClosure(by, { approvalId, ...proof }),
    closing: (changes: { intentId?: string } = {}) => closeNow(maker, { ...form(changes), ...PROOF }),
    stateOf: async (id: string) => {
      const [row] = await db.select().from(approval).where(eq(approval.id, id));
      return [row?.state, row?.code];
    },
    intents: () =>
      db.select().from(providerIntent).where(eq(providerIntent.operation, "/v1/bank-accounts/closeAccount")),
    /** From then on no second person is needed. */
    allowAlone: () =>
      db.insert(approvalPolicy).values({
        tenant: "aurora",
        kind: "account.close",
        version: 1,
        rule: "never",
        expiresAfterHours: 24,
        staffId: approverId,
        createdAt: new Date(),
      }),
    /** Makes its executor look dead. */
    died: () =>
      tamper(
        sql`update approval set owner = gen_random_uuid(), executing_until = clock_timestamp() - interval '1 second'`,
      ),
  };
}
