import { eq } from "drizzle-orm";
import { getLocale } from "next-intl/server";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Db } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { deposit } from "@/lib/db/tables/deposits";
import { chainMovement, wallet } from "@/lib/db/tables/wallets";
import { AppError } from "@/lib/errors/app-error";
import { dataKey } from "@/lib/settings/keys";
import { readCsv } from "@/lib/text/csv";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { exportDepositList } from "./export-list";
import { handleOne, importHandling } from "./handle";
import { handledOf, handlingVersion } from "./handled";
import { Handling } from "./inputs";
import { keepDeposits } from "./keep";
import { readDeposit } from "./record";

const ADDRESS = `0x${"ab".repeat(20)}`;
const SEEN = handlingVersion({ ownerId: null, reason: null, note: null });

let db: Db;
let ana: string;
let rui: string;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "finance");
  rui = await givenStaff(db, "finance");
  vi.mocked(getLocale).mockResolvedValue("pt-BR");
});

const writer = (id: string) => actorOf("finance", id, "wallets:label");
const reader = (id: string) => actorOf("finance", id, "wallets:read");

const keep = () => keepDeposits(db, "aurora", { keys: [{ family: "EVM", addressKey: ADDRESS }] }, new Set());

async function arrive(count: number) {
  const at = new Date();
  const listed = { tenant: "aurora", id: "forward", family: "EVM", coin: "ETH", status: "ACTIVE", userId: null };
  const made = { ...listed, address: ADDRESS, isForwardPayment: true, createdAt: at, seenAt: at };
  await db.insert(wallet).values(made).onConflictDoNothing();
  const place = { tenant: "aurora", walletId: "forward", network: "ETHEREUM" as const, ordinal: 0 };
  const moved = { ...place, subtype: "incoming", counterAddress: "0x9", at };
  const amounts = Array.from({ length: count }, (_, nth) => String(nth + 1));
  await db
    .insert(chainMovement)
    .values(amounts.map((amount) => ({ ...moved, hash: `0x${amount}`, key: amount, amount })));
  await keep();
  return stored();
}

const stored = () => db.select().from(deposit).orderBy(deposit.amount);
const audited = () => db.$count(auditEvent, eq(auditEvent.code, "deposits.handle"));

const handling = (id: string, changes: object = {}) =>
  Handling.parse({ id, owner: "same", reason: "accepted", note: "visto", seen: SEEN, ...changes });

const notesOf = async () => (await stored()).map((row) => handledOf(row).note);

const refusalOf = (error: unknown) => {
  if (error instanceof AppError) return error.details;
  throw error;
};

/** The file of all exceptions, each row through `change`. */
async function exported(change: (cells: Record<string, string>) => Record<string, string>) {
  const { parts } = await exportDepositList(reader(ana), { view: "all" });
  const written: string[] = [];
  for await (const part of parts) written.push(part);
  const [head, ...lines] = readCsv(written.join("")).rows;
  const names = head?.cells ?? [];
  const rows = lines.filter(({ cells }) => cells[0] !== "");
  const cellsOf = (cells: string[]) => Object.fromEntries(names.map((name, nth) => [name, cells[nth] ?? ""]));
  const filled = rows.map(({ cells }) => change(cellsOf(cells)));
  return {
    csv: [names, ...filled.map((cells) => names.map((name) => cells[name]))].map((row) => row.join(";")).join("\n"),
  };
}

const outcomesOf = async (file: { csv: string }) =>
  (await importHandling(writer(rui), file)).rows.map(({ outcome }) => outcome);

describe("two people with one dialog open", () => {
  it("refuses the later one, and says who changed it", async () => {
    const [row] = await arrive(1);
    const id = row?.id ?? "";
    await handleOne(writer(ana), handling(id, { owner: "me" }));
    const refused = await handleOne(writer(rui), handling(id, { note: "outro" })).then(() => null, refusalOf);
    expect(refused).toMatchObject({ code: "deposit-changed", holder: { id: ana, name: "Ana Prado" } });
    expect(await notesOf()).toEqual(["visto"]);
    const now = await readDeposit(reader(rui), id);
    await handleOne(writer(rui), handling(id, { note: "outro", seen: now?.version }));
    expect(await notesOf()).toEqual(["outro"]);
    expect(await audited()).toBe(2);
  });

  it("saves one of ten at once, with one entry on record", async () => {
    const [row] = await arrive(1);
    const orders = Array.from({ length: 10 }, (_, nth) =>
      handleOne(writer(nth % 2 === 0 ? ana : rui), handling(row?.id ?? "", { owner: "me", note: `de ${nth}` })),
    );
    const ends = await Promise.allSettled(orders);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await audited()).toBe(1);
  });

  it("takes what is as wanted for the same, whoever wanted it", async () => {
    const [row] = await arrive(1);
    const tabs = Array.from({ length: 10 }, () => handleOne(writer(ana), handling(row?.id ?? "")));
    await Promise.all([...tabs, handleOne(writer(rui), handling(row?.id ?? ""))]);
    expect(await audited()).toBe(1);
  });

  it("puts on record who took a deposit from whom", async () => {
    const [row] = await arrive(1);
    const id = row?.id ?? "";
    await handleOne(writer(ana), handling(id, { owner: "me" }));
    const now = await readDeposit(reader(rui), id);
    await handleOne(writer(rui), handling(id, { owner: "me", seen: now?.version }));
    const entries = await db.select().from(auditEvent).where(eq(auditEvent.code, "deposits.handle"));
    expect(entries.map(({ detail }) => detail)).toMatchObject([
      { formerHolder: null, to: ana },
      { formerHolder: ana, to: rui },
    ]);
  });
});

describe("the file of reasons", () => {
  it("names what changed since it was exported, and saves none of it", async () => {
    const rows = await arrive(3);
    const file = await exported((cells) => ({ ...cells, Motivo: "Devolvido" }));
    await handleOne(writer(ana), handling(rows[1]?.id ?? ""));
    const outcomes = await outcomesOf(file);
    expect(outcomes.toSorted()).toEqual(["changed", "held", "held"]);
    expect((await stored()).map(({ reason }) => reason)).toEqual([null, "accepted", null]);
    expect(await audited()).toBe(1);
  });

  it("is saved over a deposit that somebody took on since", async () => {
    const rows = await arrive(2);
    const file = await exported((cells) => ({ ...cells, Motivo: "Devolvido" }));
    await handleOne(writer(ana), handling(rows[0]?.id ?? "", { owner: "me", reason: null, note: "" }));
    expect(await outcomesOf(file)).toEqual(["saved", "saved"]);
    expect((await stored()).map(({ ownerId }) => ownerId)).toEqual([ana, null]);
    expect(await outcomesOf(file)).toEqual(["same", "same"]);
  });

  it("is refused without its versions", async () => {
    await arrive(1);
    const file = await exported((cells) => cells);
    const older = { csv: file.csv.replace("Versão", "Antes") };
    await expect(importHandling(writer(rui), older)).rejects.toThrow("deposit-columns");
  });

  it("is saved once of ten at once while the address is swept", async () => {
    await arrive(20);
    const file = await exported((cells) => ({ ...cells, Motivo: "Devolvido" }));
    await db.update(chainMovement).set({ isDated: false });
    const files = Array.from({ length: 10 }, () => outcomesOf(file));
    const [all] = await Promise.all([Promise.all(files), keep(), keep(), keep()]);
    expect(all.flat().filter((outcome) => outcome === "saved")).toHaveLength(20);
    expect(all.flat().filter((outcome) => outcome === "same")).toHaveLength(180);
    expect(await audited()).toBe(20);
  });

  it("names a row whose note was cut at a separator, and one without its ID", async () => {
    await arrive(2);
    const file = await exported((cells) =>
      cells["Valor"] === "1" ? { ...cells, Soma: "visto;pago" } : { ...cells, ID: "", Motivo: "Devolvido" },
    );
    expect((await outcomesOf(file)).toSorted()).toEqual(["bad-columns", "unknown-deposit"]);
  });

  it("leaves a note that does not open where it is", async () => {
    const [row] = await arrive(1);
    await handleOne(writer(ana), handling(row?.id ?? ""));
    givenEnv({ dataKeys: [dataKey(Buffer.alloc(32, 8))] });
    const file = await exported((cells) => ({ ...cells, Motivo: "Devolvido" }));
    expect(await outcomesOf(file)).toEqual(["saved"]);
    givenEnv();
    expect(await notesOf()).toEqual(["visto"]);
  });

  it("keeps a note that begins like a formula as it was written", async () => {
    const [row] = await arrive(1);
    await handleOne(writer(ana), handling(row?.id ?? "", { note: "=1+1" }));
    const { parts } = await exportDepositList(reader(ana), { view: "all" });
    const written: string[] = [];
    for await (const part of parts) written.push(part);
    expect(written.join("")).toContain("'=1+1");
    expect(await outcomesOf({ csv: written.join("") })).toEqual(["same"]);
  });
});
