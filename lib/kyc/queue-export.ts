import { and, desc, eq, inArray, lte, type SQL } from "drizzle-orm";
import { getLocale, getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import type { Download } from "@/lib/query";
import { staff } from "@/lib/db/tables/staff";
import { kycCase } from "@/lib/db/tables/kyc";
import { db, type Db } from "@/lib/db/connection";
import { type CsvColumn, csvMinute, csvName, csvTable } from "@/lib/text/csv";
import type { Locale } from "@/lib/text/format";
import { isUnknown, providerText } from "@/lib/text/provider-word";
import { shownNumber } from "./queue";
import { askerOf, matching, ordering } from "./queue-filter";
import { KycFilter } from "./inputs";
import { caseQueueSearch } from "./view";

const BATCH_ROWS = 1_000;

/** A snapshot in screen order, so that changes neither repeat a case nor drop one. */
async function* batches(store: Db, { fits, orderBy, upTo }: Chosen) {
  const fitting = await store
    .select({ seq: kycCase.seq })
    .from(kycCase)
    .where(and(fits, lte(kycCase.seq, upTo)))
    .orderBy(orderBy);
  const seqs = fitting.map(({ seq }) => seq);
  for (let at = 0; at < seqs.length; at += BATCH_ROWS) {
    const some = seqs.slice(at, at + BATCH_ROWS);
    const rows = await store
      .select({ row: kycCase, assignee: staff.name })
      .from(kycCase)
      .leftJoin(staff, eq(staff.id, kycCase.assigneeId))
      .where(inArray(kycCase.seq, some));
    const bySeq = new Map(rows.map((one) => [one.row.seq, one]));
    yield some.flatMap((seq) => bySeq.get(seq) ?? []);
  }
}

type Batch = Awaited<ReturnType<typeof batches>> extends AsyncGenerator<infer Rows> ? Rows : never;

type Chosen = { fits: SQL | undefined; orderBy: SQL; upTo: number };

type CsvWords = { say: Awaited<ReturnType<typeof getTranslations<"kyc">>>; locale: Locale };

const timeOf = (at: Date | null, { locale }: CsvWords) => (at === null ? null : csvMinute(at.toISOString(), locale));

const COLUMNS = [
  { name: "id", csv: ({ row }) => row.kycUUID },
  { name: "document", csv: ({ row }) => shownNumber(row) },
  {
    name: "type",
    csv: ({ row: { kycType } }, { say }) => (isUnknown(kycType) ? providerText(kycType) : say(`type.${kycType}`)),
  },
  {
    name: "process",
    csv: ({ row: { process } }, { say }) => (isUnknown(process) ? providerText(process) : say(`process.${process}`)),
  },
  {
    name: "status",
    csv: ({ row: { status } }, { say }) => (isUnknown(status) ? providerText(status) : say(`status.${status}`)),
  },
  { name: "assignee", csv: ({ assignee }) => assignee },
  { name: "tags", csv: ({ row }) => row.tags.join(", ") },
  { name: "firstSeen", csv: ({ row }, words) => timeOf(row.firstSeenAt, words) },
  { name: "changed", csv: ({ row }, words) => timeOf(row.changedAt, words) },
  { name: "waiting", csv: ({ row }, words) => timeOf(row.waitingSince, words) },
  { name: "due", csv: ({ row }, words) => timeOf(row.dueAt, words) },
  { name: "decided", csv: ({ row }, words) => timeOf(row.decidedAt, words) },
] as const satisfies readonly CsvColumn<Batch[number], CsvWords>[];

export type QueueFileColumn = (typeof COLUMNS)[number]["name"];

export async function* caseLines(
  store: Db,
  { fits, orderBy, upTo, headerOf, ...words }: Chosen & CsvWords & { headerOf: (name: QueueFileColumn) => string },
): AsyncGenerator<string> {
  const { head, line } = csvTable(COLUMNS, words, headerOf);
  yield head;
  for await (const rows of batches(store, { fits, orderBy, upTo })) yield rows.map(line).join("");
}

/** Documents stay masked; audited before the first byte. */
export async function exportQueue(actor: Actor<"kyc:read">, given: Partial<KycFilter> = {}): Promise<Download> {
  const { after: _, before: __, ...filter } = KycFilter.parse(given);
  const store = await db();
  const fits = matching(await askerOf(store, actor), filter);
  const { orderBy } = ordering(filter);
  const own = eq(kycCase.tenant, actor.tenant);
  const [last] = await store.select({ seq: kycCase.seq }).from(kycCase).where(own).orderBy(desc(kycCase.seq)).limit(1);
  const upTo = last?.seq ?? 0;
  const t = await getTranslations("kycQueue.csv");
  const say = await getTranslations("kyc");
  const locale = await getLocale();
  const detail = { format: "csv", filter: `?${caseQueueSearch(filter)}`, upTo };
  await record(store, { tenant: actor.tenant, actor: actor.id, code: "kyc.export", outcome: "DONE", detail });
  return {
    fileName: csvName("kyc", locale),
    contentType: "text/csv; charset=utf-8",
    parts: caseLines(store, { fits, orderBy, upTo, headerOf: (name) => t(name), say, locale }),
  };
}
