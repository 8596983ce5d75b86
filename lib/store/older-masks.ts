import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import { maskDocument } from "@/lib/contract/document";
import { accountDocument, onboardingDocument } from "./document";
import { account, onboarding } from "./schema";
import type { Db } from "./store";

const BATCH = 500;

type Table = typeof account | typeof onboarding;
type Kept = { id: string; documentSealed: string };
type Older = { table: Table; id: typeof account.ref | typeof onboarding.id; open: (kept: Kept) => string };

const OLDER: readonly Older[] = [
  { table: account, id: account.ref, open: ({ id, documentSealed }) => accountDocument({ ref: id, documentSealed }) },
  { table: onboarding, id: onboarding.id, open: onboardingDocument },
];

/** What does not open with any key known here keeps no mask. */
async function maskOf(kept: Kept, open: Older["open"]): Promise<{ id: string; mask: string }[]> {
  const [opened] = await Promise.allSettled([Promise.resolve(kept).then(open)]);
  return opened.status === "fulfilled" ? [{ id: kept.id, mask: maskDocument(opened.value) }] : [];
}

async function maskAll(db: Db, { table, id, open }: Older): Promise<number> {
  let masked = 0;
  let after: string | null = null;
  do {
    const isNext: ReturnType<typeof and> = and(isNull(table.documentMask), after === null ? undefined : gt(id, after));
    const { documentSealed } = table;
    const rows: Kept[] = await db
      .select({ id, documentSealed })
      .from(table)
      .where(isNext)
      .orderBy(asc(id))
      .limit(BATCH);
    const masks = (await Promise.all(rows.map((row) => maskOf(row, open)))).flat();
    if (masks.length > 0) {
      const values = masks.map((one) => sql`(${one.id}::uuid, ${one.mask}::text)`);
      await db
        .update(table)
        .set({ documentMask: sql`older.mask` })
        .from(sql`(values ${sql.join(values, sql`, `)}) as older (id, mask)`)
        .where(eq(id, sql`older.id`));
    }
    masked += masks.length;
    after = rows.length < BATCH ? null : (rows.at(-1)?.id ?? null);
  } while (after !== null);
  return masked;
}

/**
 * Puts the mask beside each document that an earlier release kept without one, by which cases find it; returns how many got
 * theirs. The documents are sealed, so no migration can.
 */
export async function maskOlderDocuments(db: Db): Promise<number> {
  let masked = 0;
  for (const older of OLDER) masked += await maskAll(db, older);
  return masked;
}
