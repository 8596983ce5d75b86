import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { OPEN_STATES } from "@/lib/approvals/view";
import type { ApprovalState } from "@/lib/db/enums/approvals";
import type { Db, Tx } from "@/lib/db/connection";
import { lockByHashes } from "@/lib/db/lease";
import { lookupHashes } from "@/lib/db/seal";
import { approval } from "@/lib/db/tables/approvals";
import { intentClaim } from "@/lib/db/tables/intent-claim";
import { type IntentState, providerIntent } from "@/lib/db/tables/provider";
import { staff } from "@/lib/db/tables/staff";
import { cryptoOrder } from "@/lib/db/tables/wallets";
import { AppError } from "@/lib/errors/app-error";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { type CoinOrder, fingerprintOf } from "./fingerprint";
import { likeMovements } from "./like-movements";
import { REPEAT_DAYS, type RepeatedSend } from "./view";

export type OrderedCoins = {
  tenant: string;
  walletId: string;
  order: CoinOrder;
  except: string | null;
};

type Standing = "waiting" | "unsettled" | "held" | "done" | "ended";

type Stage = { proposal: ApprovalState | null; sent: IntentState | null; contradictedAt: Date | null };

const STANDINGS: Readonly<Record<Exclude<IntentState, "REFUSED">, Standing>> = {
  SENDING: "unsettled",
  UNKNOWN: "unsettled",
  HELD: "held",
  DONE: "done",
};

const isOpenProposal = (state: ApprovalState | null) => OPEN_STATES.some((one) => one === state);

function standingOf({ proposal, sent, contradictedAt }: Stage): Standing {
  if (contradictedAt !== null) return "unsettled";
  if (sent !== null && sent !== "REFUSED") return STANDINGS[sent];
  return isOpenProposal(proposal) ? "waiting" : "ended";
}

const threeDays = sql`interval '1 day' * ${REPEAT_DAYS}`;

async function likeOrders(store: Db | Tx, { tenant, order, except }: OrderedCoins) {
  const rows = await store
    .select({
      ref: cryptoOrder.intentId,
      orderedAt: cryptoOrder.orderedAt,
      txHash: cryptoOrder.txHash,
      isOpen: cryptoOrder.isOpen,
      byName: staff.name,
      proposal: approval.state,
      sent: providerIntent.state,
      contradictedAt: providerIntent.contradictedAt,
      isRecent: sql<boolean>`coalesce(${providerIntent.finishedAt} > clock_timestamp() - ${threeDays}, false)`,
    })
    .from(cryptoOrder)
    .innerJoin(intentClaim, and(eq(intentClaim.tenant, cryptoOrder.tenant), eq(intentClaim.id, cryptoOrder.intentId)))
    .leftJoin(staff, eq(sql`${staff.id}::text`, intentClaim.actor))
    .leftJoin(approval, and(eq(approval.tenant, cryptoOrder.tenant), eq(approval.intentId, cryptoOrder.intentId)))
    .leftJoin(providerIntent, ofIntent(cryptoOrder))
    .where(
      and(
        eq(cryptoOrder.tenant, tenant),
        inArray(cryptoOrder.fingerprintHash, lookupHashes(fingerprintOf(order))),
        except === null ? undefined : ne(cryptoOrder.intentId, except),
      ),
    )
    .orderBy(cryptoOrder.orderedAt);
  return rows.map(({ proposal, sent, contradictedAt, ...row }) => ({
    ...row,
    standing: standingOf({ proposal, sent, contradictedAt }),
  }));
}

type LikeOrder = Awaited<ReturnType<typeof likeOrders>>[number];

const REFUSALS = {
  waiting: "crypto-transfer-waiting",
  unsettled: "crypto-transfer-unsettled",
  held: "crypto-transfer-held",
} as const;

function refuseOpen(likes: readonly LikeOrder[]): void {
  for (const { standing } of likes)
    if (standing !== "done" && standing !== "ended") throw new AppError("conflict", { code: REFUSALS[standing] });
}

/** Done within three days here, or on the chain and not from here. */
async function repeatsOf(store: Db | Tx, ordered: OrderedCoins, likes: readonly LikeOrder[]): Promise<RepeatedSend[]> {
  const done = likes.filter(({ standing, isRecent }) => standing === "done" && isRecent);
  const since = sql`clock_timestamp() - ${threeDays}`;
  const onChain = await likeMovements(store, { ...ordered, since });
  return [
    ...done.map(({ ref, orderedAt, byName, txHash }) => ({ ref, at: orderedAt.toISOString(), byName, txHash })),
    ...onChain.map(({ hash, at }) => ({ ref: hash, at: at.toISOString(), byName: null, txHash: hash })),
  ];
}

/** Throws conflict `crypto-transfer-waiting`, `-unsettled` and `-held` while a similar one is open. */
export async function readRepeats(store: Db | Tx, ordered: OrderedCoins): Promise<RepeatedSend[]> {
  const likes = await likeOrders(store, ordered);
  refuseOpen(likes);
  return repeatsOf(store, ordered, likes);
}

/** In the transaction that proposes or opens it. Throws as `readRepeats`, and conflict `crypto-transfer-repeated` for one unseen. */
export async function refuseDuplicate(tx: Tx, ordered: OrderedCoins, seen: readonly string[]): Promise<void> {
  const { tenant, order } = ordered;
  await lockByHashes(tx, `coins ${tenant} ${fingerprintOf(order)}`);
  const likes = await likeOrders(tx, ordered);
  refuseOpen(likes);
  const repeats = await repeatsOf(tx, ordered, likes);
  if (repeats.some(({ ref }) => !seen.includes(ref)))
    throw new AppError("conflict", { code: "crypto-transfer-repeated" });
  const ended = likes.filter(({ isOpen }) => isOpen).map(({ ref }) => ref);
  if (ended.length === 0) return;
  const areEnded = and(eq(cryptoOrder.tenant, tenant), inArray(cryptoOrder.intentId, ended));
  await tx.update(cryptoOrder).set({ isOpen: false }).where(areEnded);
}
