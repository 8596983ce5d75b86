import { and, eq, inArray, sql } from "drizzle-orm";
import type { z } from "zod";
import { type AuditEntry, recordAll } from "@/lib/audit/record";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { DEPOSIT_REASONS } from "@/lib/db/enums/deposits";
import { publishAll } from "@/lib/db/publish";
import { seal } from "@/lib/db/seal";
import { deposit } from "@/lib/db/tables/deposits";
import { staff } from "@/lib/db/tables/staff";
import { AppError, invalidField } from "@/lib/errors/app-error";
import type { Holder } from "@/lib/errors/result";
import type { Actor } from "@/lib/permission/grant";
import { isUuid } from "@/lib/text/decode";
import { type CsvRow, hasColumns, readCsv } from "@/lib/text/csv";
import en from "@/messages/en.json";
import ptBr from "@/messages/pt-BR.json";
import { type DepositFile, type Handling, Note } from "./inputs";
import { type Handled, handledOf, handlingVersion, textVersion } from "./handled";
import { depositTarget } from "./keep";
import type { HandleReport } from "./view";

type Handler = Actor<"wallets:label">;
type DepositRow = typeof deposit.$inferSelect;

type Outcome = "saved" | "same" | "changed" | "unknown-deposit";

type Seen = (row: Handled) => string;

/** What differs from what was seen is left as it is, and what is as wanted counts as the same. */
async function setHandling(
  tx: Tx,
  { tenant, id: staffId }: Handler,
  wanted: readonly Handling[],
  versionOf: Seen,
): Promise<{ outcomes: Outcome[]; rows: DepositRow[] }> {
  const ids = wanted.map(({ id }) => id);
  const rows = await tx
    .select()
    .from(deposit)
    .where(and(eq(deposit.tenant, tenant), inArray(deposit.id, ids)))
    .orderBy(deposit.id)
    .for("update");
  const standing = new Map(rows.map((row) => [row.id, row]));
  const entries: AuditEntry[] = [];
  const outcomes: Outcome[] = [];
  for (const { id, owner, reason, note, seen } of wanted) {
    const before = standing.get(id);
    if (before === undefined) {
      outcomes.push("unknown-deposit");
      continue;
    }
    const now = handledOf(before);
    const ownerId = owner === "same" ? before.ownerId : owner === "me" ? staffId : null;
    if (now.note === note && before.reason === reason && before.ownerId === ownerId) outcomes.push("same");
    else if (versionOf(now) !== seen) outcomes.push("changed");
    else {
      outcomes.push("saved");
      const sealed = note === null ? null : seal(note, depositTarget("note_sealed", { tenant, id }));
      const noteSealed = now.note === note ? before.noteSealed : sealed;
      await tx
        .update(deposit)
        .set({ ownerId, reason, noteSealed, handledBy: staffId, handledAt: sql`clock_timestamp()` })
        .where(and(eq(deposit.tenant, tenant), eq(deposit.id, id)));
      const handed = before.ownerId === ownerId ? {} : { formerHolder: before.ownerId, to: ownerId };
      entries.push({
        tenant,
        actor: staffId,
        code: "deposits.handle",
        outcome: "DONE",
        object: `deposit:${id}`,
        detail: { amount: before.amount, fromReason: before.reason, toReason: reason, ...handed },
      });
    }
  }
  const saved = ids.filter((_, nth) => outcomes[nth] === "saved");
  await publishAll(tx, { tenant, topic: "deposits", objects: saved });
  await recordAll(tx, entries);
  return { outcomes, rows };
}

async function lastHandler(store: Db, { handledBy: id, handledAt: since }: DepositRow): Promise<Holder | null> {
  if (id === null || since === null) return null;
  const [person] = await store.select({ name: staff.name }).from(staff).where(eq(staff.id, id));
  return person === undefined ? null : { id, name: person.name, since: since.toISOString() };
}

export const changedMeanwhile = async (store: Db, row: DepositRow): Promise<AppError> =>
  new AppError("conflict", { code: "deposit-changed", holder: await lastHandler(store, row) });

/** Throws not-found without this deposit, and conflict `deposit-changed`, with who changed it, unless it is as seen. */
export async function handleOne(actor: Handler, handling: Handling): Promise<null> {
  const store = await db();
  const { outcomes, rows } = await store.transaction((tx) => setHandling(tx, actor, [handling], handlingVersion));
  const [row] = rows;
  if (row === undefined) throw new AppError("not-found");
  if (outcomes.includes("changed")) throw await changedMeanwhile(store, row);
  return null;
}

const plain = (text: string) => text.trim().toLowerCase();

const WORDS: ReadonlyMap<string, Handling["reason"]> = new Map(
  DEPOSIT_REASONS.flatMap((reason) =>
    [reason, en.deposits.reasons[reason], ptBr.deposits.reasons[reason]].map((word) => [plain(word), reason] as const),
  ),
);

type Column = "id" | "version" | "reason" | "note";
type Columns = Record<Column, number>;

const headersOf = (name: Column) => [name, en.deposits.csv[name], ptBr.deposits.csv[name]].map(plain);

/** The columns of the exported file, wherever they stand. */
function columnsOf({ cells }: CsvRow): Columns {
  const place = (name: Column) => cells.findIndex((cell) => headersOf(name).includes(plain(cell)));
  const columns = { id: place("id"), version: place("version"), reason: place("reason"), note: place("note") };
  if (Object.values(columns).includes(-1)) throw new AppError("invalid", { code: "deposit-columns" });
  return columns;
}

type Judged =
  | { order: Handling }
  | { outcome: "bad-columns" | "bad-reason" | "bad-note" | "repeated" | "unknown-deposit" };

type Judging = { columns: Columns; most: number; seen: Set<string> };

function judge({ columns, most, seen }: Judging, row: CsvRow): Judged {
  const textIn = (name: Column) => row.cells[columns[name]] ?? "";
  if (!hasColumns(row, 0, most)) return { outcome: "bad-columns" };
  const id = plain(textIn("id"));
  if (!isUuid(id)) return { outcome: "unknown-deposit" };
  const word = plain(textIn("reason"));
  const reason = word === "" ? null : WORDS.get(word);
  if (reason === undefined) return { outcome: "bad-reason" };
  const note = Note.safeParse(textIn("note"));
  if (!note.success) return { outcome: "bad-note" };
  if (seen.has(id)) return { outcome: "repeated" };
  seen.add(id);
  return { order: { id, owner: "same", reason, note: note.data, seen: plain(textIn("version")) } };
}

class NotWhole extends Error {
  override name = "NotWhole";
}

const isDone = (outcome: Outcome) => outcome === "saved" || outcome === "same";

/** The list's own file, with reasons and notes filled in. All rows or none. */
export async function importHandling(
  actor: Handler,
  { csv }: z.output<typeof DepositFile>,
): Promise<{ rows: HandleReport[] }> {
  const [head, ...given] = readCsv(csv).rows;
  if (head === undefined) throw invalidField("csv", "no-rows");
  const columns = columnsOf(head);
  const judging = { columns, most: head.cells.length, seen: new Set<string>() };
  const noted = given.filter(({ cells }) => [columns.id, columns.reason, columns.note].some((at) => cells[at]));
  if (noted.length === 0) throw invalidField("csv", "no-rows");
  const judged = noted.map((row) => ({ row, ...judge(judging, row) }));
  const orders = judged.flatMap((one) => ("order" in one ? [one.order] : []));
  let told: Outcome[] = [];
  const store = await db();
  const isWhole = await store
    .transaction(async (tx) => {
      const isRead = orders.length === judged.length;
      told = isRead ? (await setHandling(tx, actor, orders, textVersion)).outcomes : [];
      if (!told.every(isDone)) throw new NotWhole();
      return isRead;
    })
    .catch((error: unknown) => {
      if (error instanceof NotWhole) return false;
      throw error;
    });
  const outcomeOf = new Map(orders.map((order, nth) => [order, told[nth]]));
  return {
    rows: judged.map((one): HandleReport => {
      const { line, cells } = one.row;
      const id = cells[columns.id] ?? "";
      if ("outcome" in one) return { line, id, outcome: one.outcome };
      const outcome = outcomeOf.get(one.order);
      const isHeld = outcome === undefined || (!isWhole && isDone(outcome));
      return { line, id, outcome: isHeld ? "held" : outcome };
    }),
  };
}
