import { and, desc, eq, inArray, ne } from "drizzle-orm";
import type { Db, Tx } from "@/lib/db/connection";
import { lockByHashes } from "@/lib/db/lease";
import { lookupHashes } from "@/lib/db/seal";
import { approval } from "@/lib/db/tables/approvals";
import { providerIntent } from "@/lib/db/tables/provider";
import { staff } from "@/lib/db/tables/staff";
import { transfer } from "@/lib/db/tables/transfers";
import { draftCan } from "@/lib/drafts/can";
import { AppError } from "@/lib/errors/app-error";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { civilDay, civilDaysAgo } from "@/lib/text/time";
import { type Essence, fingerprintOn } from "./inputs";
import { orderedApprovalOf } from "./ordered";
import { stateOfIntent } from "./records";
import { REPEAT_DAYS, type TransferDuplicate } from "./view";

export const APPROVAL_NAMES = { INTERNAL: "transfer.internal", EXTERNAL: "transfer.external" } as const;

export type PossibleRepeat = { tenant: string; essence: Essence; object: string; except: string | null };

async function likeSent(store: Db | Tx, { tenant, essence, except }: PossibleRepeat): Promise<TransferDuplicate[]> {
  const days = Array.from({ length: REPEAT_DAYS }, (_, ago) => civilDaysAgo(ago));
  const hashes = days.flatMap((day) => lookupHashes(fingerprintOn(essence, day)));
  const rows = await store
    .select({ ref: transfer.intentId, at: transfer.createdAt, byName: staff.name, state: stateOfIntent })
    .from(transfer)
    .innerJoin(providerIntent, ofIntent(transfer))
    .innerJoin(staff, eq(staff.id, transfer.staffId))
    .where(
      and(
        eq(transfer.tenant, tenant),
        inArray(transfer.fingerprint, hashes),
        ne(providerIntent.state, "REFUSED"),
        except === null ? undefined : ne(transfer.intentId, except),
      ),
    )
    .orderBy(desc(transfer.createdAt));
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
        eq(approval.kind, APPROVAL_NAMES[essence.kind]),
        eq(approval.object, object),
        eq(approval.state, "PENDING"),
        except === null ? undefined : ne(approval.intentId, except),
      ),
    )
    .orderBy(desc(approval.createdAt));
  const read = await Promise.all(
    rows.map(async ({ row, byName }) => ({ row, byName, order: await orderedApprovalOf(row) })),
  );
  return read.flatMap(({ row, byName, order }): TransferDuplicate[] =>
    order === null || !isAlike(essence, order.essence)
      ? []
      : [{ ref: row.intentId, at: row.createdAt.toISOString(), byName, state: "WAITING", isUnconfirmed: false }],
  );
}

export const duplicatesOf = async (store: Db | Tx, repeat: PossibleRepeat): Promise<TransferDuplicate[]> => [
  ...(await likeProposed(store, repeat)),
  ...(await likeSent(store, repeat)),
];

const LIKE = { unconfirmed: "transfer-unsettled", unseen: "possible-duplicate" } as const;

export async function requireUnlike(store: Db | Tx, repeat: PossibleRepeat, seen: readonly string[]): Promise<void> {
  const duplicates = await duplicatesOf(store, repeat);
  const like = draftCan.send(duplicates, seen);
  if (like !== null) throw new AppError("conflict", { code: LIKE[like] });
}

/** In the transaction that proposes it. Throws conflict `possible-duplicate`, but for a repeat: its maker was shown what is like it. */
export async function refuseLikeProposal(tx: Tx, repeat: PossibleRepeat, isRepeat: boolean): Promise<void> {
  await lockByHashes(tx, fingerprintOn(repeat.essence, civilDay(new Date())));
  if (isRepeat) return;
  if ((await likeProposed(tx, repeat)).length > 0) throw new AppError("conflict", { code: LIKE.unseen });
}
