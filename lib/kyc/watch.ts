import { type Actor, watchActor } from "@/lib/auth/grant";
import { bank } from "@/lib/bank/bank";
import { intents } from "@/lib/bank/intent";
import { listKyc } from "@/lib/bank/operations";
import { env } from "@/lib/env";
import { storeNow } from "@/lib/store/clock";
import type { OutcomeKind } from "@/lib/outcomes/kind";
import { type Db, db } from "@/lib/store/store";
import type { Watch } from "@/lib/watch";
import { ageDemo } from "./demo";
import { decisionKind } from "./decision";
import { releaseOrphans } from "./orphans";
import { foldCounts } from "./queue-counts";
import { confirmSeen, contradictDecisions, describeDecision } from "./settle";
import { companyStart, personStart } from "./start-kinds";
import { candidatesOfIntent, contradictStarts, describeStart, settleStarts } from "./start-settle";
import { type ListSource, sweepList } from "./sweep";

const actorOf = (tenant: string) => watchActor("kyc", tenant, "kyc:read");

const listSource = (store: Db, actor: Actor<"kyc:read">): ListSource => ({
  ask: async ({ page, kycUUID }) => {
    const object = kycUUID === undefined ? {} : { object: `kyc:${kycUUID}` };
    return (await bank.get(actor, listKyc, { query: { page, kycUUID }, ...object })).answer;
  },
  now: () => storeNow(store),
});

/** Decisions and starts whose sender died are no longer being sent: asks nobody. */
export const settleDecisions = (tenant: string): Promise<void> =>
  intents.settle(actorOf(tenant), [decisionKind, personStart, companyStart]);

const decisionOutcome: OutcomeKind = {
  name: "kyc.decision",
  intent: decisionKind,
  permission: "kyc:decide",
  needsApproval: false,
  describe: describeDecision,
};

const startOutcome = (intent: OutcomeKind["intent"]): OutcomeKind => ({
  name: "kyc.start",
  intent,
  permission: "kyc:start",
  needsApproval: false,
  describe: describeStart,
  candidatesOf: candidatesOfIntent,
});

export const KYC_OUTCOMES: readonly OutcomeKind[] = [
  decisionOutcome,
  startOutcome(personStart),
  startOutcome(companyStart),
];

/** Feeds the KYC queue, and settles decisions and starts whose end nobody saw. */
export const kycWatch: Watch = {
  name: "kyc",
  topic: "kyc",
  async sweep(tenant) {
    await settleDecisions(tenant);
    const actor = actorOf(tenant);
    const store = await db();
    await foldCounts(store, tenant);
    await releaseOrphans(store, actor);
    const { isFirst, isUnfinished } = await sweepList({ store, tenant, source: listSource(store, actor) });
    if (isFirst && env().hasDemoData) await ageDemo(store, tenant);
    await confirmSeen(actor);
    await settleStarts(store, actor);
    await contradictDecisions(store, actor);
    await contradictStarts(store, actor);
    return isUnfinished ? "unfinished" : "done";
  },
};
