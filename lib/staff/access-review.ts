import { and, desc, eq, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { storeNow } from "@/lib/db/clock";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { holdLock } from "@/lib/db/lock";
import { publish } from "@/lib/db/publish";
import { lookupHash, seal, unseal, unsealedOrNull } from "@/lib/db/seal";
import { accessReview } from "@/lib/db/tables/access-review";
import { staff } from "@/lib/db/tables/staff";
import { AppError, invalidField } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { civilDay } from "@/lib/text/time";
import { readStaff } from "./listing";
import type { AccessReviewForm } from "./inputs";
import { isReviewDay, type ReviewStep } from "./view";

const MAX_STEPS = 20;

const noteTarget = (tenant: string, id: string) =>
  ({ column: "access_review.note_sealed", row: [tenant, id] }) as const;

/** Newest first, 20 at most; a note whose key is gone is null. */
export async function listReviews(store: Db | Tx, tenant: string): Promise<ReviewStep[]> {
  const rows = await store
    .select({ row: accessReview, byName: staff.name })
    .from(accessReview)
    .innerJoin(staff, eq(staff.id, accessReview.staffId))
    .where(eq(accessReview.tenant, tenant))
    .orderBy(desc(accessReview.createdAt))
    .limit(MAX_STEPS);
  return rows.map(({ row: { id, people, nextOn, createdAt, noteSealed }, byName }) => ({
    id,
    byName,
    at: createdAt.toISOString(),
    people,
    nextOn,
    note: unsealedOrNull(() => unseal(noteSealed, noteTarget(tenant, id))),
  }));
}

/** The day on which the next review is due, `yyyy-MM-dd`; null while there was none. */
export async function nextReviewOn(store: Db | Tx, tenant: string): Promise<string | null> {
  const [last] = await store
    .select({ nextOn: accessReview.nextOn })
    .from(accessReview)
    .where(eq(accessReview.tenant, tenant))
    .orderBy(desc(accessReview.createdAt))
    .limit(1);
  return last?.nextOn ?? null;
}

/** Throws conflict `access-reviewed` when somebody reviewed since this list was read. A repeat of one id does nothing. */
export async function reviewAccess(
  { tenant, id: staffId }: Actor<"staff:manage">,
  { intentId: id, note, nextOn, seen }: AccessReviewForm,
): Promise<null> {
  return (await db()).transaction(async (tx) => {
    await holdLock(tx, `${tenant} access review`);
    if ((await tx.$count(accessReview, and(eq(accessReview.tenant, tenant), eq(accessReview.id, id)))) > 0) return null;
    const [last] = await listReviews(tx, tenant);
    if ((last?.id ?? null) !== seen) throw new AppError("conflict", { code: "access-reviewed" });
    if (!isReviewDay(nextOn, civilDay(await storeNow(tx)))) throw invalidField("nextOn", "review-day");
    const people = (await readStaff(tx, tenant)).length;
    const noteSealed = seal(note, noteTarget(tenant, id));
    const createdAt = sql`clock_timestamp()`;
    await tx.insert(accessReview).values({ tenant, id, staffId, people, noteSealed, nextOn, createdAt });
    await publish(tx, { tenant, topic: "staff" });
    const detail = { people, nextOn, note: lookupHash(note) };
    await record(tx, { tenant, actor: staffId, code: "access.review", outcome: "DONE", intentId: id, detail });
    return null;
  });
}
