import { type Actor, watchActor } from "@/lib/permission/grant";
import { provider } from "@/lib/provider/client";
import { listKyc } from "@/lib/provider/operations";
import type { Watch } from "@/lib/watch/watch";
import { env } from "@/lib/settings/env";
import { storeNow } from "@/lib/db/clock";
import { type Db, db } from "@/lib/db/connection";
import { releaseOrphans } from "./away";
import { confirmSeen, contradictDecisions, unansweredDue } from "./decision-reconcile";
import { ageDemo, reopenOne } from "./demo";
import { bringBackDue } from "./put-off";
import { foldCounts } from "./queue-counts";
import { shareCases } from "./share";
import { contradictStarts, reconcileStarts } from "./start-reconcile";
import { askCase, type ListSource, sweepList } from "./sweep";

const actorOf = (tenant: string) => watchActor("kyc", tenant, "kyc:read");

const listSource = (store: Db, actor: Actor<"kyc:read">): ListSource => ({
  ask: async ({ page, kycUUID, ...turn }) => {
    const object = kycUUID === undefined ? {} : { object: `kyc:${kycUUID}` };
    return (await provider.get(actor, listKyc, { query: { page, kycUUID }, ...turn, ...object })).answer;
  },
  now: () => storeNow(store),
});

export const kycWatch: Watch = {
  name: "kyc",
  topic: "kyc",
  async sweep(tenant) {
    const actor = actorOf(tenant);
    const store = await db();
    await foldCounts(store, tenant);
    await releaseOrphans(store, actor);
    const { isFirst, isUnfinished } = await sweepList({ store, tenant, source: listSource(store, actor) });
    if (isFirst && env().hasDemoData) {
      await ageDemo(store, tenant);
      await reopenOne(store, tenant);
    }
    await confirmSeen(actor);
    await reconcileStarts(store, actor);
    await contradictDecisions(store, actor);
    await contradictStarts(store, actor);
    return isUnfinished ? "unfinished" : "done";
  },
};

/** Needs no provider, so that a case comes back at its time while none answers. */
export const deskWatch: Watch = {
  name: "kyc-desk",
  intervalMs: 5_000,
  async sweep(tenant) {
    const store = await db();
    const actor = watchActor("kyc-desk", tenant, "kyc:read");
    await bringBackDue(store, actor);
    await shareCases(store, actor);
  },
};

/** A person waits for a decision's outcome, so it is read by id instead of waiting for the list. */
export const decisionWatch: Watch = {
  name: "kyc-decisions",
  intervalMs: 5_000,
  async sweep(tenant) {
    const store = await db();
    const due = await unansweredDue(store, tenant);
    if (due.length === 0) return;
    const actor = actorOf(tenant);
    const sweep = { store, tenant, source: listSource(store, actor) };
    for (const kycUUID of due) await askCase(sweep, { kycUUID });
    await confirmSeen(actor);
  },
};
