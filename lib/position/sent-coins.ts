import { and, eq, gt, inArray, isNotNull, isNull, lte, or } from "drizzle-orm";
import type { Network } from "@/lib/contract/crypto";
import type { Db } from "@/lib/db/connection";
import type { SendState } from "@/lib/db/enums/wallets";
import { providerIntent } from "@/lib/db/tables/provider";
import { chainMovement, cryptoOrder, hashKey } from "@/lib/db/tables/wallets";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { unitsOf } from "@/lib/text/decimal";
import { isDecimal } from "@/lib/text/format";
import { movementState } from "@/lib/wallets/records";
import { movementDirection } from "@/lib/wallets/view";
import type { ChangeEntry } from "./view";

/** `endedAt`: when the history began to tell it, or when it was given back; null while it is held, unconfirmed or not in the history. */
export type SentCoins = {
  id: string;
  state: SendState;
  amount: string;
  leftAt: Date;
  endedAt: Date | null;
};

type Interval = { after: Date; until: Date };

const isOutsideHistory = ({ leftAt, endedAt }: SentCoins, at: Date): boolean =>
  leftAt <= at && (endedAt === null || endedAt > at);

function effectOf(sent: SentCoins, { after, until }: Interval): ChangeEntry | null {
  const { id, state, amount, leftAt, endedAt } = sent;
  const isOut = isOutsideHistory(sent, until);
  if (isOut === isOutsideHistory(sent, after)) return null;
  const at = (isOut ? leftAt : (endedAt ?? leftAt)).toISOString();
  return { as: isOut ? "out" : "in", at, amount, sent: state, href: `/coins/${id}` };
}

const unitsIn = ({ as, amount }: ChangeEntry): bigint => (as === "in" ? unitsOf(amount) : -unitsOf(amount));
const sizeOf = (units: bigint): bigint => (units < 0n ? -units : units);

export const sumOf = (entries: readonly ChangeEntry[]): bigint => entries.reduce((sum, one) => sum + unitsIn(one), 0n);

/** Those that the balances bear out: not every provider takes what is held off a balance. `left`: what the history does not explain. */
export function explainBySends(left: bigint, sends: readonly SentCoins[], interval: Interval): ChangeEntry[] {
  const effects = sends.flatMap((one) => effectOf(one, interval) ?? []);
  const besides = (entries: readonly ChangeEntry[]) => sizeOf(left - sumOf(entries));
  const largestFirst = effects.toSorted(
    (one, other) =>
      Number(unitsOf(one.amount) < unitsOf(other.amount)) - Number(unitsOf(one.amount) > unitsOf(other.amount)),
  );
  let borneOut: ChangeEntry[] = [];
  for (const one of largestFirst) {
    const more = [...borneOut, one];
    if (besides(more) < besides(borneOut)) borneOut = more;
  }
  // What left and what came back may cancel each other out, one at a time.
  return besides(effects) < besides(borneOut) ? effects : borneOut;
}

type Sent = Pick<typeof cryptoOrder.$inferSelect, "token" | "asset">;

type Wanted = Interval & { network: Network; walletIds: readonly string[]; isOfAsset: (sent: Sent) => boolean };

const GIVEN_BACK: ReadonlySet<SendState> = new Set(["BLOCKED", "REFUSED", "NOT_SENT"]);

/** Transfers of one asset that left a wallet, came into its history or were given back in a time; by wallet. */
export async function readSends(
  store: Db,
  tenant: string,
  { network, walletIds, isOfAsset, after, until }: Wanted,
): Promise<Map<string, SentCoins[]>> {
  if (walletIds.length === 0) return new Map();
  const { firstSentAt, finishedAt } = providerIntent;
  const rows = await store
    .select({ order: cryptoOrder, leftAt: firstSentAt, finishedAt, movement: chainMovement })
    .from(cryptoOrder)
    .innerJoin(providerIntent, ofIntent(cryptoOrder))
    .leftJoin(
      chainMovement,
      and(
        eq(chainMovement.tenant, cryptoOrder.tenant),
        eq(chainMovement.walletId, cryptoOrder.walletId),
        eq(chainMovement.network, cryptoOrder.network),
        eq(hashKey(chainMovement.hash), hashKey(cryptoOrder.txHash)),
        isNull(chainMovement.droppedAt),
      ),
    )
    .where(
      and(
        eq(cryptoOrder.tenant, tenant),
        eq(cryptoOrder.network, network),
        inArray(cryptoOrder.walletId, [...walletIds]),
        isNotNull(firstSentAt),
        lte(firstSentAt, until),
        or(gt(firstSentAt, after), gt(finishedAt, after), gt(chainMovement.at, after)),
      ),
    );
  const sends = new Map<string, SentCoins & { walletId: string }>();
  for (const { order, leftAt, finishedAt: givenBackAt, movement } of rows) {
    const { intentId: id, walletId, state, amount } = order;
    if (walletId === null || leftAt === null || amount === null || !isDecimal(amount) || !isOfAsset(order)) continue;
    const isTold =
      movement !== null && movementState(movement) === "confirmed" && movementDirection(movement.subtype) === "out";
    const endedAt = GIVEN_BACK.has(state) ? (givenBackAt ?? leftAt) : isTold ? movement.at : null;
    const had = sends.get(id);
    sends.set(id, { id, walletId, state, amount, leftAt, endedAt: endedAt ?? had?.endedAt ?? null });
  }
  const byWallet = new Map<string, SentCoins[]>();
  for (const { walletId, ...one } of sends.values()) byWallet.set(walletId, [...(byWallet.get(walletId) ?? []), one]);
  return byWallet;
}
