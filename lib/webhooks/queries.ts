import { bank } from "@/lib/bank/bank";
import * as operations from "@/lib/bank/operations";
import type { Subscription } from "@/lib/contract/webhooks";
import { query } from "@/lib/query";

export type SubscriptionRow = { id: string; url: string; host: string; events: Subscription["events"]; status: string };

/** The tenant's subscriptions as the provider has them now; they are registered with the provider, not here. */
export const listSubscriptions = query(
  "webhooks:read",
  async (actor): Promise<{ rows: SubscriptionRow[]; asOf: string }> => {
    const { answer, asOf } = await bank.get(actor, operations.listSubscriptions);
    const rows = answer.data.map(({ id, url, events, status }) => ({
      id: id ?? url,
      url,
      host: URL.canParse(url) ? new URL(url).host : url,
      events,
      status,
    }));
    return { rows, asOf: asOf.toISOString() };
  },
);
