import { and, asc, desc, eq, gt, lte, type SQL } from "drizzle-orm";
import { getLocale, getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { maskWithin } from "@/lib/contract/document";
import { CSV_START, csvLine } from "@/lib/csv";
import { formatDateTime, type Locale } from "@/lib/format";
import { queueSearch } from "@/lib/kyc-view";
import type { Download } from "@/lib/query";
import { kycCase, staff } from "@/lib/store/schema";
import { type Db, db } from "@/lib/store/store";
import { civilDay } from "@/lib/time";
import { isUnknown, providerText } from "@/lib/unknown";
import { askerOf } from "./queue";
import { matching } from "./queue-filter";
import { KycFilter } from "./rules";

const BATCH_ROWS = 1_000;

/** In the order of the file. */
const COLUMNS = [
  "id",
  "document",
  "type",
  "process",
  "status",
  "assignee",
  "tags",
  "firstSeen",
  "changed",
  "waiting",
  "due",
  "decided",
] as const;

/** Every case that fits, the first to arrive first: what changes while it is read neither comes twice nor is left out. */
async function* batches(store: Db, fits: SQL | undefined, upTo: number) {
  let beyond = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = await store
      .select({ row: kycCase, assignee: staff.name })
      .from(kycCase)
      .leftJoin(staff, eq(staff.id, kycCase.assigneeId))
      .where(and(fits, gt(kycCase.seq, beyond), lte(kycCase.seq, upTo)))
      .orderBy(asc(kycCase.seq))
      .limit(BATCH_ROWS);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    beyond = last.row.seq;
  }
}

type Batch = Awaited<ReturnType<typeof batches>> extends AsyncGenerator<infer Rows> ? Rows : never;

type Written = {
  /** Of `kyc`, in the reader's language: what is on file is called what it is called on screens. */
  say: Awaited<ReturnType<typeof getTranslations<"kyc">>>;
  locale: Locale;
};

function lineOf({ row, assignee }: Batch[number], { say, locale }: Written): string {
  const time = (at: Date | null) => (at === null ? null : formatDateTime(at.toISOString(), locale));
  const { kycType, process, status } = row;
  const words = [
    isUnknown(kycType) ? providerText(kycType) : say(`type.${kycType}`),
    isUnknown(process) ? providerText(process) : say(`process.${process}`),
    isUnknown(status) ? providerText(status) : say(`status.${status}`),
  ];
  const clock = [row.firstSeenAt, row.changedAt, row.waitingSince, row.dueAt, row.decidedAt].map(time);
  const tags = row.tags.join(", ");
  return csvLine([row.kycUUID, providerText(maskWithin(row.vatNumber)), ...words, assignee, tags, ...clock]);
}

/** The lines of the file, some at a time. `header` is its first line. */
export async function* caseLines(
  store: Db,
  { fits, upTo, header, ...written }: { fits: SQL | undefined; upTo: number; header: readonly string[] } & Written,
): AsyncGenerator<string> {
  yield `${CSV_START}${csvLine(header)}`;
  for await (const rows of batches(store, fits, upTo)) yield rows.map((row) => lineOf(row, written)).join("");
}

/** The cases of a filter as a file, documents as the provider masks them; that it was taken is on record before its first byte. */
export async function exportQueue(actor: Actor<"kyc:read">, given: Partial<KycFilter> = {}): Promise<Download> {
  const { after: _, before: __, ...filter } = KycFilter.parse(given);
  const store = await db();
  const fits = matching(await askerOf(store, actor), filter);
  const own = eq(kycCase.tenant, actor.tenant);
  const [last] = await store.select({ seq: kycCase.seq }).from(kycCase).where(own).orderBy(desc(kycCase.seq)).limit(1);
  const upTo = last?.seq ?? 0;
  const [t, say, locale] = [await getTranslations("kycQueue.csv"), await getTranslations("kyc"), await getLocale()];
  const detail = { format: "csv", filter: `?${queueSearch(filter)}`, upTo };
  await record(store, { tenant: actor.tenant, actor: actor.id, code: "kyc.export", outcome: "DONE", detail });
  return {
    fileName: `kyc-${civilDay(new Date())}.csv`,
    contentType: "text/csv; charset=utf-8",
    parts: caseLines(store, { fits, upTo, header: COLUMNS.map((column) => t(column)), say, locale }),
  };
}
