import { and, desc, eq, inArray, isNotNull, ne, or } from "drizzle-orm";
import { OPEN_STATES } from "@/lib/approvals/view";
import type { AuditCode } from "@/lib/audit/codes";
import type { Db, Tx } from "@/lib/db/connection";
import type { TransferKind } from "@/lib/db/enums/transfers";
import { lockByHashes } from "@/lib/db/lease";
import { lookupHashes } from "@/lib/db/seal";
import { approval } from "@/lib/db/tables/approvals";
import { intentClaim } from "@/lib/db/tables/intent-claim";
import { providerIntent } from "@/lib/db/tables/provider";
import { staff } from "@/lib/db/tables/staff";
import { transfer } from "@/lib/db/tables/transfers";
import { draftCan } from "@/lib/drafts/can";
import { AppError } from "@/lib/errors/app-error";
import type { OutcomeName } from "@/lib/permission/writes";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { civilDaysAgo } from "@/lib/text/time";
import { type Essence, fingerprintOn, type InternalOrder } from "./inputs";
import { orderedApprovalOf } from "./ordered";
import { stateOfIntent } from "./records";
import { REPEAT_DAYS, type TransferDuplicate } from "./view";

export const TRANSFER_NAMES = {
  INTERNAL: "transfer.internal",
  EXTERNAL: "transfer.external",
} as const satisfies Record<TransferKind, OutcomeName & AuditCode>;

export type PossibleRepeat = { tenant: string; essence: Essence; object: string; except: string | null };

type LikeTransfer = TransferDuplicate & {
  /** Its maker was shown the similar ones. */
  isRepeat: boolean;
  orderedAt: Date;
};

async function likeSent(store: Db | Tx, { tenant, essence, except }: PossibleRepeat): Promise<LikeTransfer[]> {
  const days = Array.from({ length: REPEAT_DAYS }, (_, ago) => civilDaysAgo(ago));
  const hashes = days.flatMap((day) => lookupHashes(fingerprintOn(essence, day)));
  const { createdAt, intentId: ref, isRepeat } = transfer;
  // On a later day, only a finished order counts as another.
  const isOpen = or(
    inArray(providerIntent.state, ["SENDING", "UNKNOWN", "HELD"]),
    isNotNull(providerIntent.contradictedAt),
  );
  const isOpenLike = and(
    isOpen,
    eq(transfer.kind, essence.kind),
    eq(transfer.accountId, essence.accountId),
    eq(transfer.amount, essence.amount),
    inArray(transfer.payeeHash, lookupHashes(essence.payee)),
  );
  const ofClaim = and(eq(intentClaim.tenant, transfer.tenant), eq(intentClaim.id, ref));
  const orderedAt = intentClaim.createdAt;
  const rows = await store
    .select({ ref, at: createdAt, byName: staff.name, state: stateOfIntent, isRepeat, orderedAt })
    .from(transfer)
    .innerJoin(providerIntent, ofIntent(transfer))
    .innerJoin(intentClaim, ofClaim)
    .innerJoin(staff, eq(staff.id, transfer.staffId))
    .where(
      and(
        eq(transfer.tenant, tenant),
        or(inArray(transfer.fingerprint, hashes), isOpenLike),
        or(ne(providerIntent.state, "REFUSED"), isNotNull(providerIntent.contradictedAt)),
        except === null ? undefined : ne(ref, except),
      ),
    )
    .orderBy(desc(createdAt));
  return rows.map(({ at, state, ...row }) => ({
    ...row,
    at: at.toISOString(),
    state,
    isUnconfirmed: state === "UNKNOWN" || state === "ACCEPTED" || state === "SENDING",
  }));
}

const isAlike = (one: Essence, other: Essence) => fingerprintOn(one, "") === fingerprintOn(other, "");

async function likeProposed(
  store: Db | Tx,
  { tenant, essence, object, except }: PossibleRepeat,
): Promise<TransferDuplicate[]> {
  const rows = await store
    .select({ row: approval, byName: staff.name })
    .from(approval)
    .innerJoin(staff, eq(staff.id, approval.makerId))
    .where(
      and(
        eq(approval.tenant, tenant),
        eq(approval.kind, TRANSFER_NAMES[essence.kind]),
        eq(approval.object, object),
        inArray(approval.state, [...OPEN_STATES]),
        except === null ? undefined : ne(approval.intentId, except),
      ),
    )
    .orderBy(desc(approval.createdAt));
  const read = await Promise.all(
    rows.map(async ({ row, byName }) => ({ row, byName, order: await orderedApprovalOf(row) })),
  );
  return read.flatMap(({ row, byName, order }): TransferDuplicate[] => {
    if (order === null || !isAlike(essence, order.essence)) return [];
    const isUnconfirmed = row.state === "AUTHORISED";
    const state = isUnconfirmed ? "SENDING" : "WAITING";
    return [{ ref: row.intentId, at: row.createdAt.toISOString(), byName, state, isUnconfirmed }];
  });
}

const shown = ({ isRepeat: _repeat, orderedAt: _at, ...duplicate }: LikeTransfer): TransferDuplicate => duplicate;

export async function transferDuplicates(store: Db | Tx, repeat: PossibleRepeat): Promise<TransferDuplicate[]> {
  const sent = (await likeSent(store, repeat)).map(shown);
  const proposed = await likeProposed(store, repeat);
  return [...proposed.filter(({ ref }) => !sent.some((one) => one.ref === ref)), ...sent];
}

/** The similar ones shown to its maker; `seen` null: any that existed then. */
export type KnownRepeat = Pick<InternalOrder, "isRepeat" | "seen">;

const LIKE = { unconfirmed: "transfer-unsettled", unseen: "possible-duplicate" } as const;

function requireSeen(likes: readonly TransferDuplicate[], { isRepeat, seen }: KnownRepeat): void {
  const all = isRepeat ? likes.map(({ ref }) => ref) : [];
  const like = draftCan.send(likes, seen ?? all);
  if (like !== null) throw new AppError("conflict", { code: LIKE[like] });
}

/** Two concurrent similar orders would not see each other. */
const holdLikes = (tx: Tx, { tenant, essence: { accountId, payee, amount } }: PossibleRepeat) =>
  lockByHashes(tx, ["transfer", tenant, accountId, payee, amount].join("\n"));

/**
 * In the transaction that proposes or opens it. Throws conflict `transfer-unsettled`, and `possible-duplicate` for one
 * that its maker was not shown.
 */
export async function refuseLike(tx: Tx, repeat: PossibleRepeat, known: KnownRepeat): Promise<void> {
  await holdLikes(tx, repeat);
  requireSeen(await transferDuplicates(tx, repeat), known);
}

/** Checks an authorised order again; similar ones ordered since by somebody who saw it do not count. */
export async function refuseLikeSince(
  tx: Tx,
  repeat: PossibleRepeat,
  { proposedAt, ...known }: KnownRepeat & { proposedAt: Date },
): Promise<void> {
  await holdLikes(tx, repeat);
  const likes = await likeSent(tx, repeat);
  requireSeen(
    likes.filter(({ isRepeat, orderedAt }) => !isRepeat || orderedAt <= proposedAt),
    known,
  );
}
