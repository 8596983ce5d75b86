import { holdLock, ownAccountsLock } from "@/lib/db/lock";
import { and, eq, gte, inArray, isNull, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Actor } from "@/lib/permission/grant";
import type { StatementEntry } from "@/lib/contract/accounts";
import { isCnpj, isCpf } from "@/lib/contract/document";
import { normaliseDocument } from "@/lib/contract/fold";
import { amountKey, idKey } from "@/lib/contract/identity";
import { findIn } from "@/lib/contract/open-answer";
import { isStorable } from "@/lib/contract/shared";
import { publish } from "@/lib/db/publish";
import { accountEntry, accountReading } from "@/lib/db/tables/accounts";
import { lookupHash, seal, unseal, unsealedOrNull } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { isDecimal } from "@/lib/text/format";
import { isUuid, sha256 } from "@/lib/text/decode";
import { providerWord } from "@/lib/text/provider-word";
import { type KnownFields, readFields } from "@/lib/text/reported-fields";
import { civilDay, civilDaysAgo, civilInstant, DAY_MS, readIso } from "@/lib/text/time";
import { folded, nameKeyOf } from "@/lib/text/typed";
import { isBooked } from "./standing";
import type { StatementRow } from "./view";

type EntryRow = typeof accountEntry.$inferSelect;
type Place = { tenant: string; accountRef: string };
type EntryId = Place & Pick<EntryRow, "key" | "ordinal">;

/** What was written at greater length is no id and no word. */
const WORD_MAX = 300;
/** JavaScript has years that the store has not. */
const LAST_YEAR = 9_999;

/** `item`: as the provider wrote it, where it could be read. */
export type ToldEntry = { row: StatementRow; item: StatementEntry };

/** What one walk through a statement has told so far. */
export type Heard = {
  startedAt: Date;
  spellings: Map<string, string[]>;
  unread: number;
};

export const beginHearing = (): Heard => ({ startedAt: new Date(), spellings: new Map(), unread: 0 });

const spelt = (text: string): string => folded(text).replaceAll(/\s+/g, " ").trim();

const sizeOf = ({ amount }: StatementRow): string => amountKey(amount.replace("-", ""));

function dayOf({ date }: StatementRow): string {
  const read = readIso(date);
  if (read === null) return "";
  return read.isDay ? date : civilDay(new Date(read.ms));
}

/** What of it may be told otherwise: two entries that differ in it may stand under one id. */
const spellingOf = ({ date, type, description }: StatementRow): string =>
  sha256(JSON.stringify([date, spelt(providerWord(type)), spelt(description)]));

/** What never changes of it, however it is spelt; without an id, all that it says. */
function keyOf(row: StatementRow): string {
  const id = idKey(row.transactionId);
  const moved = [row.direction ?? spelt(row.directionWord), sizeOf(row)];
  return sha256(JSON.stringify(id === "" ? ["", spellingOf(row), ...moved] : [id, dayOf(row), ...moved]));
}

/** Told twice it is one; null where nothing tells it from another that says the same. */
export const entryIdentity = (row: StatementRow): string | null =>
  idKey(row.transactionId) === "" ? null : `${keyOf(row)} ${spellingOf(row)}`;

const isKeepable = ({ transactionId, type, status, directionWord, amount }: StatementRow): boolean =>
  isDecimal(amount) &&
  [transactionId, type, status, directionWord, amount].every((text) => text.length <= WORD_MAX && isStorable(text));

function ordinalIn(spellings: Map<string, string[]>, key: string, row: StatementRow): number {
  const told = spellings.get(key) ?? [];
  const spelling = spellingOf(row);
  const at = idKey(row.transactionId) === "" ? -1 : told.indexOf(spelling);
  if (at >= 0) return at;
  spellings.set(key, [...told, spelling]);
  return told.length;
}

const COUNTERPART_FIELDS: KnownFields<"name" | "documentNumber"> = {
  name: { aliases: ["fullName", "holderName", "nome", "nomeCompleto", "nomeTitular"], as: "name" },
  documentNumber: { aliases: ["document", "documento", "numeroDocumento", "cpf", "cnpj", "cpfCnpj"], as: "document" },
};
const COUNTERPART =
  /(?:^|\.)(?:counter_?part(?:y)?|contra_?parte|payer|payee|pagador|recebedor|favorecido|beneficiario|beneficiary|destinatario|remetente|recipient|sender|origem|destino)(?:\.|\[)/i;

/** The interface shows none; some tell it all the same. */
function counterpartIn(item: StatementEntry): { name: string | null; document: string | null } {
  if (Object.values(item).every((value) => typeof value !== "object")) return { name: null, document: null };
  const told = readFields(item, COUNTERPART_FIELDS, ["name", "documentNumber"]).filter(({ path }) =>
    COUNTERPART.test(path),
  );
  const of = (name: "name" | "documentNumber") => told.find((field) => field.name === name)?.text ?? "";
  const document = normaliseDocument(of("documentNumber"));
  const name = nameKeyOf(of("name"));
  return { name: name === "" ? null : name, document: isCpf(document) || isCnpj(document) ? document : null };
}

const targetOf = (
  column: "text_sealed" | "document_sealed" | "name_sealed",
  { tenant, accountRef, key, ordinal }: EntryId,
) => ({ column: `account_entry.${column}`, row: [tenant, accountRef, key, String(ordinal)] }) as const;

/** Null where it does not open. */
export const textOfEntry = (row: EntryId & Pick<EntryRow, "textSealed">): string | null =>
  unsealedOrNull(() => unseal(row.textSealed, targetOf("text_sealed", row)));

const openedIn = (sealed: string | null, column: "document_sealed" | "name_sealed", row: EntryRow): string | null =>
  sealed === null ? null : unsealedOrNull(() => unseal(sealed, targetOf(column, row)));

export const counterpartOfEntry = (row: EntryRow) => ({
  name: openedIn(row.nameSealed, "name_sealed", row),
  document: openedIn(row.documentSealed, "document_sealed", row),
});

type Told = Pick<
  EntryRow,
  "transactionId" | "type" | "status" | "direction" | "directionWord" | "amount" | "isDated" | "isBooked" | "returnOf"
> & { at: Date | null; text: string; name: string | null; document: string | null };

function returnedBy(item: StatementEntry): string | null {
  const id = idKey(findIn(item, "returnOf")?.text ?? "");
  return id === "" || id.length > WORD_MAX || !isStorable(id) ? null : id;
}

const SIDES = { CREDIT: "in", DEBIT: "out" } as const;

function toldOf({ row, item }: ToldEntry): Told {
  const read = readIso(row.date);
  const at = read === null || new Date(read.ms).getUTCFullYear() > LAST_YEAR ? null : new Date(read.ms);
  return {
    transactionId: idKey(row.transactionId),
    type: providerWord(row.type),
    status: row.status,
    direction: row.direction === null ? null : SIDES[row.direction],
    directionWord: row.directionWord,
    amount: row.amount.replace("-", ""),
    at,
    isDated: at !== null,
    isBooked: isBooked(row),
    returnOf: returnedBy(item),
    text: row.description,
    ...counterpartIn(item),
  };
}

function sealedOf(id: EntryId, { text, name, document }: Pick<Told, "text" | "name" | "document">) {
  return {
    textSealed: seal(text, targetOf("text_sealed", id)),
    nameSealed: name === null ? null : seal(name, targetOf("name_sealed", id)),
    nameHash: name === null ? null : lookupHash(name),
    documentSealed: document === null ? null : seal(document, targetOf("document_sealed", id)),
    documentHash: document === null ? null : lookupHash(document),
  };
}

const SAID = ["type", "status", "direction", "directionWord", "isDated", "isBooked", "returnOf"] as const;

function isSame(row: EntryRow, told: Told): boolean {
  const counterpart = counterpartOfEntry(row);
  return (
    row.droppedAt === null &&
    SAID.every((name) => row[name] === told[name]) &&
    (told.at === null || told.at.getTime() === row.at.getTime()) &&
    textOfEntry(row) === told.text &&
    counterpart.name === told.name &&
    counterpart.document === told.document
  );
}

const ofAccount = ({ tenant, accountRef }: Place) =>
  and(eq(accountEntry.tenant, tenant), eq(accountEntry.accountRef, accountRef));

const isEntry = (id: EntryId) => and(ofAccount(id), eq(accountEntry.key, id.key), eq(accountEntry.ordinal, id.ordinal));

const markOf = ({ key, ordinal }: Pick<EntryRow, "key" | "ordinal">) => `${key} ${ordinal}`;

export const returningEntry = alias(accountEntry, "returning");

type Paid = Record<"tenant" | "accountRef" | "transactionId" | "value", SQLWrapper>;

/** The criteria for a return that is kept: a booked credit of the amount, in the same account, that names it. */
export function isReturnOf({ tenant, accountRef, transactionId, value }: Paid): SQL | undefined {
  const { returnOf, direction, droppedAt, ...back } = returningEntry;
  return and(
    eq(back.tenant, tenant),
    eq(returnOf, transactionId),
    eq(back.accountRef, accountRef),
    eq(back.value, value),
    eq(direction, "in"),
    back.isBooked,
    isNull(droppedAt),
  );
}

type Page = { told: readonly ToldEntry[]; unread: number; heard: Heard | null };
/** `isQuiet`: whoever reads says so once, when it has read all. */
type Kept = Page & { isQuiet: boolean };

/** Once each; what is told again stands as it was told last. A page by itself may show one of several under one key: they stay. */
async function keepPage(place: Place, { told, unread, heard, isQuiet }: Kept): Promise<void> {
  const keptAt = new Date();
  const spellings = heard?.spellings ?? new Map<string, string[]>();
  const keepable = told.filter(({ row }) => isKeepable(row));
  if (heard !== null) heard.unread += unread + told.length - keepable.length;
  const byMark = new Map(
    keepable.map((one) => {
      const key = keyOf(one.row);
      const id: EntryId = { ...place, key, ordinal: ordinalIn(spellings, key, one.row) };
      return [markOf(id), { id, told: toldOf(one) }] as const;
    }),
  );
  if (byMark.size === 0) return;
  const store = await db();
  const keys = [...new Set([...byMark.values()].map(({ id }) => id.key))];
  const stored = await store
    .select()
    .from(accountEntry)
    .where(and(ofAccount(place), inArray(accountEntry.key, keys)));
  const before = new Map(stored.map((row) => [markOf(row), row]));
  const countOf = (key: string) => stored.filter((row) => row.key === key && row.droppedAt === null).length;
  const isPart = (key: string) => heard === null && countOf(key) > (spellings.get(key)?.length ?? 0);
  const fresh: (typeof accountEntry.$inferInsert)[] = [];
  const changed: (typeof accountEntry.$inferInsert)[] = [];
  for (const [mark, { id, told: one }] of byMark) {
    const row = before.get(mark);
    const { text: _text, name: _name, document: _document, at, ...said } = one;
    if (row === undefined) fresh.push({ ...id, ...said, at: at ?? keptAt, keptAt, ...sealedOf(id, one) });
    else if (!isSame(row, one) && !isPart(id.key))
      changed.push({ ...id, ...said, at: at ?? row.at, keptAt, droppedAt: null, ...sealedOf(id, one) });
  }
  if (fresh.length + changed.length === 0) return;
  await store.transaction(async (tx) => {
    await holdLock(tx, ownAccountsLock(place.tenant));
    if (fresh.length > 0) await tx.insert(accountEntry).values(fresh).onConflictDoNothing();
    for (const { tenant, accountRef, key, ordinal, ...row } of changed)
      await tx.update(accountEntry).set(row).where(isEntry({ tenant, accountRef, key, ordinal }));
    if (!isQuiet) await publish(tx, { tenant: place.tenant, topic: "movements" });
  });
}

type Period = { from: string; to: string };

const startOf = (day: string): Date => civilInstant(`${day}T00:00:00`);

const startAfter = (day: string): Date =>
  startOf(new Date(Date.parse(`${day}T12:00:00Z`) + DAY_MS).toISOString().slice(0, 10));

/** Kept before this reading began and told by it no more: it does not stand in the statement. */
async function dropUntold(tx: Tx, place: Place, { from, to }: Period, { startedAt, spellings }: Heard): Promise<void> {
  const { key, ordinal, at, keptAt, droppedAt } = accountEntry;
  const standing = await tx
    .select({ key, ordinal })
    .from(accountEntry)
    .where(
      and(ofAccount(place), gte(at, startOf(from)), lt(at, startAfter(to)), isNull(droppedAt), lt(keptAt, startedAt)),
    );
  for (const one of standing.filter((row) => row.ordinal >= (spellings.get(row.key)?.length ?? 0)))
    await tx
      .update(accountEntry)
      .set({ droppedAt: startedAt })
      .where(isEntry({ ...place, ...one }));
}

type Reading = typeof accountReading.$inferSelect;

const isReading = ({ tenant, accountRef }: Place) =>
  and(eq(accountReading.tenant, tenant), eq(accountReading.accountRef, accountRef));

/** What two readings know together; apart from each other, the earlier one stands until the days between are read. */
function joined(
  before: Pick<Reading, "fromDay" | "until"> | undefined,
  { from, until }: { from: string; until: Date },
) {
  if (before === undefined || before.fromDay === null || before.until === null) return { fromDay: from, until };
  const isJoined = startOf(from) <= before.until && until >= startOf(before.fromDay);
  if (!isJoined) return { fromDay: before.fromDay, until: before.until };
  return {
    fromDay: from < before.fromDay ? from : before.fromDay,
    until: until > before.until ? until : before.until,
  };
}

type WholeWalk = { period: Period; heard: Heard };

async function keepWhole(place: Place, { period, heard }: WholeWalk, isQuiet: boolean): Promise<void> {
  const { startedAt, unread } = heard;
  const store = await db();
  const until = period.to >= civilDaysAgo(0) ? startedAt : startAfter(period.to);
  await store.transaction(async (tx) => {
    await holdLock(tx, ownAccountsLock(place.tenant));
    const [before] = await tx.select().from(accountReading).where(isReading(place)).for("update");
    // What could not be read may be one of those that are kept.
    if (unread === 0) await dropUntold(tx, place, period, heard);
    const read = {
      ...joined(before, { from: period.from, until }),
      unread,
      triedAt: startedAt,
      failures: 0,
      why: null,
    };
    await tx
      .insert(accountReading)
      .values({ ...place, ...read })
      .onConflictDoUpdate({ target: [accountReading.tenant, accountReading.accountRef], set: read });
    if (!isQuiet) await publish(tx, { tenant: place.tenant, topic: "movements" });
  });
}

const ACCOUNT = "account:";

function placeIn(tenant: string, object: string): Place | null {
  const ref = object.startsWith(ACCOUNT) ? object.slice(ACCOUNT.length) : "";
  return isUuid(ref) ? { tenant, accountRef: ref } : null;
}

/** Keeps what a page of a statement told; `object`: `account:` and its reference. */
export async function keepEntries(actor: Actor, object: string, page: Page): Promise<void> {
  const place = placeIn(actor.tenant, object);
  if (place !== null) await keepPage(place, { ...page, isQuiet: actor.isWatch });
}

/** Notes that a walk told all that the period has. */
export async function keepWalk({ tenant, isWatch }: Actor, object: string, walk: WholeWalk): Promise<void> {
  const place = placeIn(tenant, object);
  if (place !== null) await keepWhole(place, walk, isWatch);
}

/** An event named the account, or its balance is another: its statement is read before all others. */
export async function noteMoved(store: Db | Tx, tenant: string, accountRef: string): Promise<void> {
  const movedAt = sql`clock_timestamp()`;
  await store
    .insert(accountReading)
    .values({ tenant, accountRef, movedAt })
    .onConflictDoUpdate({ target: [accountReading.tenant, accountReading.accountRef], set: { movedAt } });
}
