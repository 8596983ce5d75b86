import { and, desc, lt } from "drizzle-orm";
import type { AuditRow } from "@/lib/audit-view";
import { CSV_START, csvLine } from "@/lib/csv";
import { auditEvent } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import type { AuditFilter } from "./rules";
import { matching, withNames } from "./trail";
import { namingHidden } from "@/lib/hidden-signs";
import { providerText } from "@/lib/unknown";

const BATCH_ROWS = 2_000;

/** Every row that fits, newest first, up to the one that was the last when it was asked for. */
async function* batches(tenant: string, filter: AuditFilter, upTo: number): AsyncGenerator<AuditRow[]> {
  const store = await db();
  let edge = upTo + 1;
  for (;;) {
    const found = await store
      .select()
      .from(auditEvent)
      .where(and(matching(tenant, filter), lt(auditEvent.seq, edge)))
      .orderBy(desc(auditEvent.seq))
      .limit(BATCH_ROWS);
    const last = found.at(-1);
    if (last === undefined) return;
    yield await withNames(store, found);
    edge = last.seq;
  }
}

export type Wanted = { tenant: string; filter: AuditFilter; upTo: number };

/** As screens show it: the JSON file alone is the record to the letter. */
const readable = (detail: AuditRow["detail"]): string =>
  JSON.stringify(detail, (_, value: unknown) => (typeof value === "string" ? providerText(value) : value));

const COLUMNS = ["seq", "at", "code", "event", "outcome", "actor", "person", "object", "intent", "detail", "hash"];

/** The file for a spreadsheet; `nameOf` gives what a code is called. */
export async function* asCsv(
  { tenant, filter, upTo }: Wanted,
  nameOf: (code: string) => string,
): AsyncGenerator<string> {
  yield `${CSV_START}${csvLine(COLUMNS)}`;
  for await (const rows of batches(tenant, filter, upTo)) {
    const lines = rows.map(({ seq, at, code, outcome, actor, byName, object, intentId, detail, hash }) => {
      const about = object === null ? null : namingHidden(object);
      return csvLine([seq, at, code, nameOf(code), outcome, actor, byName, about, intentId, readable(detail), hash]);
    });
    yield lines.join("");
  }
}

/** The same as one JSON list, a row a line. */
export async function* asJson({ tenant, filter, upTo }: Wanted): AsyncGenerator<string> {
  let before = "[\n";
  for await (const rows of batches(tenant, filter, upTo)) {
    yield before + rows.map((row) => JSON.stringify(row)).join(",\n");
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}
