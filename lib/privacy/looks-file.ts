import { getTranslations } from "next-intl/server";
import { CSV_START, csvLine } from "@/lib/csv";
import type { Download } from "@/lib/query";
import { isUnopened } from "@/lib/unopened";
import type { LookRow } from "./queries";
import type { CustomerRecord } from "./rules";

type Say = Awaited<ReturnType<typeof getTranslations<never>>>;

async function* linesOf(looks: readonly LookRow[], say: Say): AsyncGenerator<string> {
  const columns = ["seq", "at", "who", "staffId", "what", "record", "reason", "note"] as const;
  yield CSV_START + csvLine(columns.map((column) => say(`privacy.columns.${column}`)));
  for (const { seq, at, byName, by, code, object, reason } of looks) {
    const why =
      reason === null
        ? [null, null]
        : [say(`privacy.reasons.${reason.choice}`), isUnopened(reason.note) ? say("common.unopened") : reason.note];
    yield csvLine([seq, at, byName, by, say(`audit.codes.${code}`), object, ...why]);
  }
}

/** The looks at one customer as a CSV file in the reader's language. */
export async function looksFile({ kind }: CustomerRecord, looks: readonly LookRow[]): Promise<Download> {
  const parts = linesOf(looks, await getTranslations());
  return { fileName: `looks-${kind}.csv`, contentType: "text/csv; charset=utf-8", parts };
}
