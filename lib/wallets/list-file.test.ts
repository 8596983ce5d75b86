import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import type { Network } from "@/lib/contract/crypto";
import type { Db } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import {
  chainMovement,
  chainReading,
  type StoredEntry,
  wallet,
  walletBalance,
  walletLabel,
} from "@/lib/db/tables/wallets";
import { watchState } from "@/lib/db/tables/watch";
import { remember } from "@/lib/db/watch-state";
import { readCsv } from "@/lib/text/csv";
import { sessionOf } from "@/test/support/auth";
import { givenEnv, givenStore } from "@/test/support/console";
import { exportWallets } from "./queries";

const createdAt = new Date("2026-03-10T12:00:00Z");
const readAt = new Date("2026-03-11T12:34:00Z");

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: randomUUID(), roles: ["finance"] }));
  await remember(db, { tenant: "aurora", name: "wallets" }, { offset: 0, had: [], end: "empty", unread: [] });
  await db.update(watchState).set({ asOf: readAt });
});

async function keep(id: string, changes: Partial<typeof wallet.$inferInsert> = {}): Promise<void> {
  const values = { tenant: "aurora", id, address: `bc1${id}`, family: "BTC", coin: "BTC", status: "ACTIVE", createdAt };
  await db.insert(wallet).values({ ...values, isForwardPayment: false, seenAt: createdAt, ...changes });
}

const hold = (walletId: string, network: Network, entries: StoredEntry[]) =>
  db.insert(walletBalance).values({ tenant: "aurora", walletId, network, entries, asOf: readAt });

const entry = (asset: string, balance: string, tokenAddress?: string): StoredEntry => ({
  address: "x",
  asset,
  decimals: 18,
  balance,
  type: tokenAddress === undefined ? "native" : "token",
  ...(tokenAddress === undefined ? {} : { tokenAddress }),
});

async function filed(filter: Parameters<typeof exportWallets>[0] = {}): Promise<Record<string, string>[]> {
  let file = "";
  for await (const part of (await exportWallets(filter)).parts) file += part;
  const [head, ...rows] = readCsv(file).rows;
  return rows.map(({ cells }) => Object.fromEntries(cells.map((cell, at) => [head?.cells[at] ?? "", cell])));
}

const found = async (filter: Parameters<typeof exportWallets>[0]) =>
  (await filed(filter)).map((row) => [row["ID"], row["Asset"], row["Notes"]]);

describe("the file of the wallets", () => {
  it("has one row for each wallet, network and asset, with all digits", async () => {
    const contract = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
    await keep("a", { address: "0xa", family: "EVM", coin: "ETH", userId: "usr-7" });
    for (const network of ["POLYGON", "BSC"] as const) await hold("a", network, []);
    await hold("a", "ETHEREUM", [entry("ETH", "0.300000000000000001"), entry("USDT", "7", contract)]);
    const read = { tenant: "aurora", walletId: "a", network: "ETHEREUM", asOf: readAt } as const;
    await db.insert(chainReading).values(read);
    const moved = { key: "1", ordinal: 0, hash: "h", subtype: "incoming", counterAddress: "x", amount: "1" };
    await db.insert(chainMovement).values({ ...read, ...moved, blockNumber: "1", at: createdAt });
    expect(await filed()).toEqual([
      {
        ID: "a",
        Label: "",
        Use: "Customer’s",
        "Network family": "EVM",
        Network: "ETHEREUM",
        Address: "0xa",
        Asset: "ETH",
        Contract: "",
        Balance: "0.300000000000000001",
        "Balance read at": "2026-03-11 09:34",
        "Last movement": "2026-03-10 09:00",
        "Movements known until": "2026-03-11 09:34",
        Status: "Active",
        "User ID at the provider": "usr-7",
        Created: "2026-03-10 09:00",
        Notes: "",
      },
      expect.objectContaining({ Asset: "USDT", Contract: contract, Balance: "7" }),
    ]);
  });

  it("leaves a balance empty that was not read, and says so", async () => {
    await keep("never");
    await keep("part", { address: "0xpart", family: "EVM", coin: "ETH" });
    await hold("part", "ETHEREUM", [entry("ETH", "2")]);
    const shape = { fields: [{ path: "saldo", value: "7", isMasked: false }], more: 0 };
    await hold("part", "POLYGON", [{ shape }]);
    const rows = await filed();
    expect(rows.map((row) => [row["ID"], row["Network"], row["Balance"], row["Notes"]])).toEqual([
      ["never", "", "", "Not read yet"],
      ["part", "ETHEREUM", "2", ""],
      ["part", "POLYGON", "", "Couldn’t read 1 balance"],
      ["part", "BSC", "", "Balance not read on this network yet"],
    ]);
    expect(rows.every((row) => row["Movements known until"] === "")).toBe(true);
  });

  it("says of a wallet that holds nothing that its balance is 0", async () => {
    await keep("empty");
    await hold("empty", "BITCOIN", [entry("BTC", "0.0")]);
    expect(await filed()).toMatchObject([
      { ID: "empty", Network: "", Asset: "", Balance: "0", "Balance read at": "2026-03-11 09:34", Notes: "No balance" },
    ]);
  });

  it("follows the list's filters, and lists the asked asset alone", async () => {
    for (const id of ["a", "b"]) await keep(id);
    await keep("evm", { address: "0xevm", family: "EVM", coin: "ETH" });
    await hold("a", "BITCOIN", [entry("BTC", "1")]);
    for (const network of ["POLYGON", "BSC"] as const) await hold("evm", network, []);
    await hold("evm", "ETHEREUM", [entry("ETH", "2"), entry("USDT", "3", "0xt")]);
    expect(await found({ network: "BTC", page: 2 })).toEqual([
      ["a", "BTC", ""],
      ["b", "", "Not read yet"],
    ]);
    expect(await found({ asset: "usdt" })).toEqual([
      ["evm", "USDT", ""],
      ["", "", "1 wallet that hasn’t been fully read may be missing."],
    ]);
  });

  it("marks a second wallet with the same address", async () => {
    await keep("a", { address: "0xAB", family: "EVM" });
    await keep("b", { address: "0xab", family: "EVM" });
    for (const network of ["ETHEREUM", "POLYGON", "BSC"] as const) await hold("a", network, []);
    expect((await filed()).map((row) => row["Notes"])).toEqual([
      "No balance",
      "No balance Same address as wallet a: don’t add it twice.",
    ]);
  });

  it("lets no label, address or asset start a formula", async () => {
    await keep("a", { address: "=1+1", userId: "@SUM(A1)" });
    await hold("a", "BITCOIN", [entry("+BTC", "=2")]);
    const set = { use: null, setBy: randomUUID(), setAt: createdAt };
    await db.insert(walletLabel).values({ tenant: "aurora", walletId: "a", label: "-cofre", ...set });
    let file = "";
    for await (const part of (await exportWallets()).parts) file += part;
    for (const text of ["=1+1", "@SUM(A1)", "+BTC", "=2", "-cofre"]) expect(file).toContain(`"'${text}"`);
  });

  it("says in its last lines that the list was not read whole", async () => {
    await keep("a");
    const shape = { fields: [{ path: "rede", value: "EVM", isMasked: false }], more: 0 };
    await remember(
      db,
      { tenant: "aurora", name: "wallets" },
      { offset: 25, had: [], end: null, unread: [{ hash: "h", shape }] },
    );
    expect((await filed()).slice(1).map((row) => row["Notes"])).toEqual([
      "1 wallet read so far. The provider’s list hasn’t been fully read yet.",
      "1 wallet is missing: it couldn’t be read.",
    ]);
  });

  it("says so, too, while the first reading has not ended", async () => {
    await keep("a");
    await db.update(watchState).set({ asOf: null });
    expect((await filed()).at(-1)?.["Notes"]).toContain("hasn’t been fully read yet");
  });

  it("is on record with its filter, but for what was searched", async () => {
    await filed({ network: "BTC", search: "cofre" });
    const isExport = and(eq(auditEvent.code, "wallets.export-list"), eq(auditEvent.outcome, "DONE"));
    const [row] = await db.select().from(auditEvent).where(isExport);
    expect(row?.detail).toEqual({ format: "csv", filter: "?network=BTC" });
  });
});
