import { watchActor } from "@/lib/auth/grant";
import { intents } from "@/lib/bank/intent";
import { env } from "@/lib/env";
import { db } from "@/lib/store/store";
import type { Watch } from "@/lib/watch";
import { ageDemo } from "./demo";
import { decisionKind } from "./decision";
import { releaseOrphans } from "./orphans";
import { foldCounts } from "./queue-counts";
import { confirmSeen } from "./settle";
import { companyStart, personStart } from "./start-kinds";
import { settleStarts } from "./start-settle";
import { sweepList } from "./sweep";

const actorOf = (tenant: string) => watchActor("kyc", tenant, "kyc:read");

/** Decisions and starts whose sender died are no longer being sent: asks nobody. */
export const settleDecisions = (tenant: string): Promise<void> =>
  intents.settle(actorOf(tenant), [decisionKind, personStart, companyStart]);

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
    const { isFirst } = await sweepList({ store, actor });
    if (isFirst && env().hasDemoData) await ageDemo(store, tenant);
    await confirmSeen(actor);
    await settleStarts(store, actor);
  },
};
