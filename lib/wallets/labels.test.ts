import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { auditEvent } from "@/lib/db/tables/audit";
import { log } from "@/lib/log/log";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { losingStore, signedInBeside } from "@/test/support/slices";
import { importLabelFile, labelOne } from "./labels";
import { Labelling, WalletFile } from "./inputs";
import { wallet, walletLabel } from "@/lib/db/tables/wallets";

let db: Db;
let staffId: string;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "finance");
});

const labeller = () => actorOf("finance", staffId, "wallets:label");

async function keep(id: string, address = `0x${id}`, tenant = "aurora", userId: string | null = null): Promise<void> {
  const at = new Date(0);
  const coin = { family: "EVM", coin: "ETH", status: "ACTIVE", isForwardPayment: false };
  await db.insert(wallet).values({ tenant, id, address, userId, ...coin, createdAt: at, seenAt: at });
}

const labels = async () =>
  (await db.select().from(walletLabel)).map(({ walletId, label, use }) => ({ walletId, label, use }));

const MANY = 120;

const keepMany = () =>
  db.execute(sql`insert into wallet (tenant, id, address, family, coin, status, is_forward_payment, created_at, seen_at)
    select 'aurora', 'w-' || n, '0x' || n, 'EVM', 'ETH', 'ACTIVE', false, now(), now() from generate_series(1, ${MANY}::int) n`);

const manyLabels = () => Array.from({ length: MANY }, (_, n) => `w-${n + 1};own;Caixa ${n + 1}`).join("\n");

const outcomes = async (csv: string) =>
  (await importLabelFile(labeller(), { csv })).rows.map(({ line, outcome }) => `${line} ${outcome}`);

const NONE = { label: null, use: null };
const TREASURY = { walletId: "a", label: "Tesouraria", use: "own", seen: NONE } as const;

describe("the label of a wallet", () => {
  it("is written by one of ten at once, and the others are told who did", async () => {
    await keep("a");
    const typed = Array.from({ length: 10 }, (_, nth) => labelOne(labeller(), { ...TREASURY, label: `Caixa ${nth}` }));
    const ends = await Promise.allSettled(typed);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const changed = { kind: "conflict", details: { code: "wallet-label-changed", holder: { id: staffId } } };
    await expect(labelOne(labeller(), { ...TREASURY, label: "Outra" })).rejects.toMatchObject(changed);
    expect(await db.$count(auditEvent)).toBe(1);
  });

  it("audits a label with the value before it, once", async () => {
    await keep("a");
    await labelOne(labeller(), TREASURY);
    await labelOne(labeller(), TREASURY);
    await labelOne(labeller(), { walletId: "a", label: "", use: null, seen: { label: "Tesouraria", use: "own" } });
    expect(await labels()).toEqual([{ walletId: "a", label: null, use: null }]);
    const rows = await db.select().from(auditEvent).orderBy(auditEvent.seq);
    expect(rows.map(({ code, object, detail }) => ({ code, object, detail }))).toEqual([
      {
        code: "wallets.label",
        object: "wallet:a",
        detail: { label: "Tesouraria", labelBefore: null, walletUse: "own", walletUseBefore: null },
      },
      {
        code: "wallets.label",
        object: "wallet:a",
        detail: { label: null, labelBefore: "Tesouraria", walletUse: null, walletUseBefore: "own" },
      },
    ]);
  });

  it("refuses a label for another tenant's wallet", async () => {
    await keep("b", "0xb", "boreal");
    await expect(labelOne(labeller(), { walletId: "b", label: "x", use: null, seen: NONE })).rejects.toMatchObject({
      kind: "not-found",
    });
    expect(await outcomes("b;own;x")).toEqual(["1 unknown-wallet"]);
    expect(await labels()).toEqual([]);
  });

  it("calls no wallet own that the provider gives to a user", async () => {
    await keep("a", "0xaa", "aurora", "user-7");
    const refused = labelOne(labeller(), { walletId: "a", label: "Ana", use: "own", seen: NONE });
    await expect(refused).rejects.toMatchObject({ kind: "conflict", details: { code: "wallet-of-user" } });
    expect(await outcomes("a;own;Ana\na;cliente;Ana")).toEqual(["1 of-user", "2 saved"]);
    expect(await labels()).toEqual([{ walletId: "a", label: "Ana", use: "customer" }]);
  });

  it("refuses a document in a wallet's label", () => {
    const typed = { walletId: "a", label: "Ana 529.982.247-25", use: null };
    expect(Labelling.safeParse(typed).success).toBe(false);
  });
});

describe("labels of a file", () => {
  it("reports each label row's result, and one bad row stops no other", async () => {
    await keep("a");
    await keep("b", "0xBB");
    await keep("c", "0xCC");
    await keep("d", "0xcc");
    const csv = [
      "wallet;use;label",
      "a;own;Tesouraria",
      "0xbb;cliente;Ana",
      "0xcc;own;x",
      "nobody;own;x",
      "c;vault;x",
      `d;own;${"x".repeat(61)}`,
      "a;other;again",
    ].join("\r\n");
    expect(await outcomes(csv)).toEqual([
      "2 saved",
      "3 saved",
      "4 many-wallets",
      "5 unknown-wallet",
      "6 bad-use",
      "7 bad-label",
      "8 repeated",
    ]);
    expect(await labels()).toEqual([
      { walletId: "a", label: "Tesouraria", use: "own" },
      { walletId: "b", label: "Ana", use: "customer" },
    ]);
    expect(await outcomes("a,own,Tesouraria")).toEqual(["1 same"]);
  });

  it("saves no labels with a missing or extra column", async () => {
    await keep("a");
    await keep("b");
    expect(await outcomes("a,own,Caixa, frio\nb,own\na,own,Caixa,,")).toEqual([
      "1 bad-columns",
      "2 bad-columns",
      "3 saved",
    ]);
    expect(await labels()).toEqual([{ walletId: "a", label: "Caixa", use: "own" }]);
    const unread = WalletFile.safeParse({ csv: "a;own;S\ufffdo Jo\ufffdo" });
    expect(unread.error?.issues).toMatchObject([{ params: { code: "unreadable-file" } }]);
    const open = WalletFile.safeParse({ csv: 'a;own;"Caixa\nb;own;Frio' });
    expect(open.error?.issues).toMatchObject([{ params: { code: "open-quote", word: "1" } }]);
  });

  it("holds the audit record's lock no longer than one batch of labels", async () => {
    await keepMany();
    const codes = await signedInBeside(db, () => outcomes(manyLabels()));
    expect(codes).toHaveLength(MANY + 1);
    expect(codes.at(-1)).toBe("wallets.label");
  });

  it("reports labels as unsaved when the store fails, and as equal when resent", async () => {
    vi.spyOn(log, "error").mockImplementation(() => undefined);
    await keepMany();
    const store = losingStore(db);
    const first = await outcomes(manyLabels());
    store.restore();
    expect(first).toEqual(Array.from({ length: MANY }, (_, n) => `${n + 1} ${n < 50 ? "saved" : "unsaved"}`));
    const again = await outcomes(manyLabels());
    expect(again).toEqual(Array.from({ length: MANY }, (_, n) => `${n + 1} ${n < 50 ? "same" : "saved"}`));
    expect(await db.$count(auditEvent)).toBe(MANY);
  });

  it("imports a wallet's use by the screens' word, in either language", async () => {
    await keep("a");
    for (const { untold: _, ...words } of [english.wallets.uses, portuguese.wallets.uses])
      for (const [use, word] of Object.entries(words)) {
        expect(await outcomes(`a,${word},${word}`)).toEqual(["1 saved"]);
        expect(await labels()).toMatchObject([{ use }]);
      }
  });
});
