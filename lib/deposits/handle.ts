import { and, eq, inArray } from "drizzle-orm";
import type { z } from "zod";
import { recordAll } from "@/lib/audit/record";
import { db, type Tx } from "@/lib/db/connection";
import { DEPOSIT_REASONS, type DepositReason } from "@/lib/db/enums/deposits";
import { publishAll } from "@/lib/db/publish";
import { seal, shownSealed } from "@/lib/db/seal";
import { deposit } from "@/lib/db/tables/deposits";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { isUuid } from "@/lib/text/decode";
import { type CsvRow, readCsv } from "@/lib/text/csv";
import en from "@/messages/en.json";
import ptBr from "@/messages/pt-BR.json";
import { type DepositFile, type Handling, Note } from "./inputs";
import { depositTarget } from "./keep";
import type { HandleReport } from "./view";

type Handler = Actor<"wallets:label">;

/** Null for a deposit that the tenant does not have. */
async function setHandling(
  tx: Tx,
  { tenant, id: staffId }: Handler,
  wanted: readonly Handling[],
): Promise<("saved" | "same" | null)[]> {
  const ids = wanted.map(({ id }) => id);
  const rows = await tx
    .select()
    .from(deposit)
    .where(and(eq(deposit.tenant, tenant), inArray(deposit.id, ids)))
    .orderBy(deposit.id)
    .for("update");
  const handledAt = new Date();
  const changed: { id: string; before: typeof deposit.$inferSelect; one: Handling }[] = [];
  for (const one of wanted) {
    const before = rows.find(({ id }) => id === one.id);
    if (before === undefined) continue;
    const target = depositTarget("note_sealed", { tenant, id: one.id });
    const note = before.noteSealed === null ? null : shownSealed(before.noteSealed, target);
    const ownerId = one.owner === "same" ? before.ownerId : one.owner === "me" ? staffId : null;
    if (note === one.note && before.reason === one.reason && before.ownerId === ownerId) continue;
    changed.push({ id: one.id, before, one });
    const noteSealed = one.note === null ? null : seal(one.note, target);
    await tx
      .update(deposit)
      .set({ ownerId, reason: one.reason, noteSealed, handledBy: staffId, handledAt })
      .where(and(eq(deposit.tenant, tenant), eq(deposit.id, one.id)));
  }
  await recordAll(
    tx,
    changed.map(({ id, before, one }) => ({
      tenant,
      actor: staffId,
      code: "deposits.handle" as const,
      outcome: "DONE" as const,
      object: `deposit:${id}`,
      detail: { amount: before.amount, fromReason: before.reason, toReason: one.reason },
    })),
  );
  await publishAll(tx, { tenant, topic: "deposits", objects: changed.map(({ id }) => id) });
  return wanted.map(({ id }) => {
    if (!rows.some((row) => row.id === id)) return null;
    return changed.some((one) => one.id === id) ? "saved" : "same";
  });
}

/** Throws not-found without this deposit. */
export async function handleOne(actor: Handler, handling: Handling): Promise<null> {
  const store = await db();
  const [outcome] = await store.transaction((tx) => setHandling(tx, actor, [handling]));
  if (outcome === null) throw new AppError("not-found");
  return null;
}

const plain = (text: string) => text.trim().toLowerCase();

const WORDS: ReadonlyMap<string, DepositReason> = new Map(
  DEPOSIT_REASONS.flatMap((reason) =>
    [reason, en.deposits.reasons[reason], ptBr.deposits.reasons[reason]].map((word) => [plain(word), reason] as const),
  ),
);

const headersOf = (name: "id" | "reason" | "note") => [name, en.deposits.csv[name], ptBr.deposits.csv[name]].map(plain);

type Columns = { id: number; reason: number; note: number };

/** The columns of the exported file, wherever they stand. */
function columnsOf({ cells }: CsvRow): Columns {
  const place = (name: "id" | "reason" | "note") => cells.findIndex((cell) => headersOf(name).includes(plain(cell)));
  const columns = { id: place("id"), reason: place("reason"), note: place("note") };
  if (Object.values(columns).includes(-1)) throw new AppError("invalid", { code: "deposit-columns" });
  return columns;
}

type Judged =
  | { order: Handling }
  | { outcome: "bad-columns" | "bad-reason" | "bad-note" | "repeated" | "unknown-deposit" };

function judge({ cells }: CsvRow, columns: Columns, seen: Set<string>): Judged {
  const id = plain(cells[columns.id] ?? "");
  if (!isUuid(id)) return { outcome: "unknown-deposit" };
  const word = plain(cells[columns.reason] ?? "");
  const reason = word === "" ? null : WORDS.get(word);
  if (reason === undefined) return { outcome: "bad-reason" };
  const note = Note.safeParse(cells[columns.note] ?? "");
  if (!note.success) return { outcome: "bad-note" };
  if (seen.has(id)) return { outcome: "repeated" };
  seen.add(id);
  return { order: { id, owner: "same", reason, note: note.data } };
}

class NotWhole extends Error {
  override name = "NotWhole";
}

/** The list's own file, with reasons and notes filled in. All rows or none. */
export async function importHandling(
  actor: Handler,
  { csv }: z.output<typeof DepositFile>,
): Promise<{ rows: HandleReport[] }> {
  const [head, ...given] = readCsv(csv).rows;
  if (head === undefined) throw new AppError("invalid");
  const columns = columnsOf(head);
  const noted = given.filter(({ cells }) => (cells[columns.id] ?? "") !== "");
  const seen = new Set<string>();
  const judged = noted.map((row) => judge(row, columns, seen));
  const orders = judged.flatMap((one) => ("order" in one ? [one.order] : []));
  const isRead = orders.length === judged.length;
  let outcomes: ("saved" | "same" | null)[] = [];
  const store = await db();
  const isWhole = await store
    .transaction(async (tx) => {
      outcomes = isRead ? await setHandling(tx, actor, orders) : [];
      if (outcomes.includes(null)) throw new NotWhole();
      return isRead;
    })
    .catch((error: unknown) => {
      if (error instanceof NotWhole) return false;
      throw error;
    });
  const told = outcomes.values();
  return {
    rows: noted.map(({ line, cells }, at): HandleReport => {
      const one = judged[at];
      const id = cells[columns.id] ?? "";
      if (one !== undefined && !("order" in one)) return { line, id, outcome: one.outcome };
      const outcome = told.next().value;
      if (outcome === null) return { line, id, outcome: "unknown-deposit" };
      return { line, id, outcome: isWhole ? (outcome ?? "held") : "held" };
    }),
  };
}
