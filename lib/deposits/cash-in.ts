import { and, asc, eq, gt, inArray, like, ne, notExists, sql } from "drizzle-orm";
import { canonicalAddress } from "@/lib/contract/addresses";
import { isCoin } from "@/lib/contract/coins";
import { CHAIN_FAMILIES, type ChainFamily, FAMILY_NETWORKS, type Network, NETWORKS } from "@/lib/contract/crypto";
import { addressKey, amountKey, idKey, transactionKey } from "@/lib/contract/identity";
import { parseJson } from "@/lib/contract/json";
import { findIn } from "@/lib/contract/open-answer";
import { isStorable, plainDecimal } from "@/lib/contract/shared";
import type { Db } from "@/lib/db/connection";
import { unseal, unsealedOrNull } from "@/lib/db/seal";
import { depositNotice } from "@/lib/db/tables/deposits";
import { webhookEvent } from "@/lib/db/tables/webhooks";
import { jsonOrUndefined, sha256 } from "@/lib/text/decode";
import { instantOf } from "@/lib/text/read-time";

/** Of a chain, by the family's one spelling. */
export type AddressKey = { family: ChainFamily; addressKey: string };

type Told = Omit<typeof depositNotice.$inferSelect, "tenant" | "eventId" | "receivedAt">;

const SECONDS_UNTIL = 100_000_000_000;

function momentIn(text: string | undefined): Date | null {
  if (text === undefined) return null;
  if (!/^\d{9,14}$/.test(text)) return instantOf(text);
  const digits = Number(text);
  return new Date(digits < SECONDS_UNTIL ? digits * 1_000 : digits);
}

const networkIn = (text: string | undefined): Network | null =>
  NETWORKS.find((network) => network === text?.trim().toUpperCase()) ?? null;

function familiesOf(network: Network | null, address: string): ChainFamily | undefined {
  const told = CHAIN_FAMILIES.find((family) => network !== null && FAMILY_NETWORKS[family].includes(network));
  return told ?? CHAIN_FAMILIES.find((family) => canonicalAddress(family, address) !== null);
}

/** What a crypto-cash-in says, whatever it leaves out; null without an address of a chain. */
export function cashInOf(payload: unknown, eventName: string): Told | null {
  const textOf = (name: Parameters<typeof findIn>[1]) => {
    const text = findIn(payload, name)?.text;
    return text !== undefined && isStorable(text) ? text : undefined;
  };
  const address = textOf("paidAddress");
  if (address === undefined) return null;
  const network = networkIn(textOf("network"));
  const family = familiesOf(network, address);
  if (family === undefined) return null;
  const hash = textOf("transactionHash");
  const amount = plainDecimal(textOf("amount") ?? "");
  const asset = textOf("asset") ?? null;
  const isOfCoin = network !== null && asset !== null && isCoin(network, { asset });
  const key = addressKey(family, address);
  const txHash = hash === undefined ? null : idKey(hash);
  const transaction =
    txHash === null ? null : transactionKey(network ?? FAMILY_NETWORKS[family][0] ?? "ETHEREUM", txHash);
  const told = transaction === null ? ["event", eventName] : ["transaction", transaction];
  return {
    identity: sha256(JSON.stringify([...told, key, amount === null ? null : amountKey(amount)])),
    family,
    address: idKey(address),
    addressKey: key,
    network,
    txHash,
    amount,
    token: textOf("tokenAddress") ?? (isOfCoin ? "" : null),
    asset,
    at: momentIn(textOf("occurredAt")),
  };
}

/** Events commit in another order than they are counted in. What tells no deposit is read again, beside the new ones. */
const LOOK_BACK = 1_000;
const MOST_EVENTS = 500;

type Notice = Told & Pick<typeof depositNotice.$inferSelect, "tenant" | "eventId" | "receivedAt">;

/** What the events since `seq` say and is not noted yet, and the last that was seen. */
export async function readNotices(
  store: Db,
  tenant: string,
  seq: number,
): Promise<{ told: Notice[]; seq: number; isAll: boolean }> {
  const { id, seq: nth, event, eventId, bodyHash, bodySealed, receivedAt } = webhookEvent;
  const taken = store
    .select({ one: sql`1` })
    .from(depositNotice)
    .where(and(eq(depositNotice.tenant, tenant), eq(depositNotice.eventId, id)));
  const rows = await store
    .select({ id, nth, eventId, bodyHash, bodySealed, receivedAt })
    .from(webhookEvent)
    .where(
      and(
        eq(webhookEvent.tenant, tenant),
        gt(nth, Math.max(0, seq - LOOK_BACK)),
        like(event, "crypto-%"),
        ne(webhookEvent.state, "FOREIGN"),
        notExists(taken),
      ),
    )
    .orderBy(asc(nth))
    .limit(LOOK_BACK + MOST_EVENTS);
  const told = rows.flatMap((row) => {
    const body = unsealedOrNull(() =>
      unseal(row.bodySealed, { column: "webhook_event.body_sealed", row: [tenant, row.id] }),
    );
    const cashIn = body === null ? null : cashInOf(jsonOrUndefined(body, parseJson), row.eventId ?? row.bodyHash);
    return cashIn === null ? [] : [{ ...cashIn, tenant, eventId: row.id, receivedAt: row.receivedAt }];
  });
  const { identity } = depositNotice;
  const identities = told.map((one) => one.identity);
  const noted =
    told.length === 0
      ? []
      : await store
          .select({ identity })
          .from(depositNotice)
          .where(and(eq(depositNotice.tenant, tenant), inArray(identity, identities)));
  const isNoted = new Set(noted.map((one) => one.identity));
  return {
    told: told.filter((one) => !isNoted.has(one.identity)),
    seq: Math.max(seq, rows.at(-1)?.nth ?? seq),
    isAll: rows.length < LOOK_BACK + MOST_EVENTS,
  };
}
