import { addressIn, readList, statusIn, wordsIn } from "@/lib/contract/open-answer";
import { known, type Unknown } from "@/lib/contract/shared";
import { WEBHOOK_EVENTS, type WebhookEvent } from "@/lib/contract/webhook-events";
import type { Actor } from "@/lib/permission/grant";
import { provider } from "@/lib/provider/client";
import * as operations from "@/lib/provider/operations";
import { isOwnAddress } from "./own-address";

/** `status` as the provider gives it, empty when absent; `isOurs`: it delivers to this console's own address. */
export type SubscriptionRow = { url: string; isOurs: boolean; events: (WebhookEvent | Unknown)[]; status: string };

const Event = known(WEBHOOK_EVENTS);

function understand(entry: unknown, tenant: string): SubscriptionRow | null {
  const url = addressIn(entry);
  if (url === null) return null;
  const events = (wordsIn(entry, "events") ?? []).map((word) => Event.parse(word));
  return { url, isOurs: isOwnAddress(url, tenant), events, status: statusIn(entry) };
}

/** Read now, as they are registered with the provider, not here; `unread`: entries that name no URL. */
export async function readSubscriptions(
  actor: Actor,
): Promise<{ rows: SubscriptionRow[]; unread: unknown[]; asOf: Date }> {
  const { answer, asOf } = await provider.get(actor, operations.listSubscriptions);
  const { understood, others, isList } = readList(answer, (entry) => understand(entry, actor.tenant));
  return { rows: understood, unread: isList ? others : [answer], asOf };
}

export const coveredEvents = (rows: readonly SubscriptionRow[]): string[] => [
  ...new Set(rows.filter((row) => row.isOurs && row.status.toLowerCase() === "active").flatMap(({ events }) => events)),
];
