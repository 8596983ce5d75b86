import { OUTCOME_NAMES, type OutcomeName, type ReadWith } from "@/lib/permission/writes";
import { and, asc, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { requestsOf } from "@/lib/approvals/visible";
import { approval } from "@/lib/db/tables/approvals";
import { OPEN_STATES } from "@/lib/approvals/view";
import { can } from "@/lib/permission/permission";
import { isAccepted, isUnanswered, needsPerson } from "@/lib/provider/intents/intent-record";
import { saidOf } from "@/lib/provider/intents/told";
import { providerIntent } from "@/lib/db/tables/provider";
import { maskWithin } from "@/lib/contract/document";
import { SENT_WRITES } from "@/lib/sent-writes";
import { query } from "@/lib/query";
import { staff } from "@/lib/db/tables/staff";
import { type Db, db } from "@/lib/db/connection";
import { providerWord } from "@/lib/text/provider-word";
import { outcomeConclusion } from "@/lib/db/tables/outcomes";
import { readRefused } from "./refusals";
import type { UnderWay, UnknownOutcome } from "./view";

const MAX = 100;

async function conclusionsOf(store: Db, tenant: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const { intentId, outcome, createdAt } = outcomeConclusion;
  const rows = await store
    .selectDistinctOn([intentId], { intentId, outcome, byName: staff.name })
    .from(outcomeConclusion)
    .innerJoin(staff, eq(staff.id, outcomeConclusion.staffId))
    .where(and(eq(outcomeConclusion.tenant, tenant), inArray(intentId, [...ids])))
    .orderBy(intentId, desc(createdAt));
  return new Map(rows.map((row) => [row.intentId, row]));
}

async function pendingApprovalsOf(store: Db, tenant: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await store
    .select({ id: approval.id, object: approval.object })
    .from(approval)
    .where(
      and(
        eq(approval.tenant, tenant),
        eq(approval.kind, "outcome.end"),
        inArray(
          approval.object,
          ids.map((id) => `outcome:${id}`),
        ),
        inArray(approval.state, [...OPEN_STATES]),
      ),
    );
  return new Map(rows.map(({ id, object }) => [object.replace("outcome:", ""), id]));
}

export type UnknownOutcomes = { rows: UnknownOutcome[]; isWhole: boolean; underWay: UnderWay };

type Sent = (typeof SENT_WRITES)[number];

const REAIS: readonly OutcomeName[] = ["transfer.internal", "transfer.external"];

const numberOf = (fits: SQL | undefined) => sql`count(*) filter (where ${fits})`.mapWith(Number);

async function countUnderWay(store: Db, tenant: string, writes: readonly Sent[]): Promise<UnderWay> {
  const { state, operation } = providerIntent;
  const sentAs = (names: readonly OutcomeName[]) =>
    inArray(
      operation,
      writes.filter(({ name }) => names.includes(name)).map(({ intent }) => intent.path),
    );
  const isHeld = and(eq(state, "HELD"), sql`not ${needsPerson}`);
  const [counted] = await store
    .select({
      sending: numberOf(eq(state, "SENDING")),
      heldReais: numberOf(and(isHeld, sentAs(REAIS))),
      heldCoins: numberOf(and(isHeld, sentAs(["crypto.transfer"]))),
    })
    .from(providerIntent)
    .where(and(eq(providerIntent.tenant, tenant), sentAs(OUTCOME_NAMES), inArray(state, ["SENDING", "HELD"])));
  return counted ?? { sending: 0, heldReais: 0, heldCoins: 0 };
}

/** Those the reader may order, oldest first; including those the provider contradicted. */
export const listUnknownOutcomes = query("outcomes:end", async (reader): Promise<UnknownOutcomes> => {
  const { tenant, roles } = reader;
  const store = await db();
  const writes = SENT_WRITES.filter(({ permission }) => can(roles, permission));
  const paths = writes.map(({ intent }) => intent.path);
  const found = await store
    .select({ intent: providerIntent, needsPerson, byName: staff.name })
    .from(providerIntent)
    .leftJoin(staff, eq(sql`${staff.id}::text`, providerIntent.actor))
    .where(and(eq(providerIntent.tenant, tenant), inArray(providerIntent.operation, paths), isUnanswered))
    .orderBy(asc(providerIntent.createdAt))
    .limit(MAX + 1);
  const shown = found.slice(0, MAX);
  const ids = shown.map(({ intent }) => intent.id);
  const said = await conclusionsOf(store, tenant, ids);
  const proposed = await pendingApprovalsOf(store, tenant, ids);
  const requests = await requestsOf(store, reader, ids);
  const rows = await Promise.all(
    shown.map(async ({ intent, ...row }): Promise<UnknownOutcome[]> => {
      const write = writes.find((one) => one.intent.path === intent.operation);
      if (write === undefined) return [];
      const {
        destination = null,
        coins = null,
        candidates = [],
        ...described
      } = await write.settle.describe(store, intent);
      const last = intent.contradictedAt === null ? undefined : said.get(intent.id);
      return [
        {
          intentId: intent.id,
          name: write.name,
          ...described,
          // A provider's id may contain a document.
          subject: described.subject === null ? null : maskWithin(described.subject),
          destination: destination === null ? null : maskWithin(destination),
          coins,
          candidates,
          byName: row.byName ?? intent.actor,
          at: (intent.firstSentAt ?? intent.createdAt).toISOString(),
          state: row.needsPerson ? "open" : "asking",
          word: isAccepted(intent) ? providerWord(intent.code ?? "") : saidOf(intent),
          contradicted:
            last === undefined || intent.contradictedAt === null
              ? null
              : { outcome: last.outcome, byName: last.byName, at: intent.contradictedAt.toISOString() },
          requestId: requests.get(intent.id) ?? null,
          approvalId: proposed.get(intent.id) ?? null,
          needsApproval: write.settle.needsSecond,
        },
      ];
    }),
  );
  return { rows: rows.flat(), isWhole: found.length <= MAX, underWay: await countUnderWay(store, tenant, writes) };
});

/** About this record, or null: those that would have made one. */
const refusedReadWith = (area: ReadWith) =>
  query(area, (reader, object: string | null) => readRefused(reader, { area, object }));

export const listRefusedOfKyc = refusedReadWith("kyc:read");
export const listRefusedOnboardings = refusedReadWith("onboarding:read");
export const listRefusedOfAccounts = refusedReadWith("accounts:read");
export const listRefusedOfWallets = refusedReadWith("wallets:read");
