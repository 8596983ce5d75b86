import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { auditEvent } from "@/lib/db/tables/audit";
import { wallet, walletRequest } from "@/lib/db/tables/wallets";
import type { Db } from "@/lib/db/connection";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { signedInBeside } from "@/test/support/slices";
import { importAddressFile } from "./address-file";
import { AddressOrder } from "./inputs";
import { listDepositAddresses, listUnconfirmedWallets } from "./queries";
import { makeDepositAddress } from "./create";

let db: Db;
let staffId: string;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "finance");
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, roles: ["finance"] }));
});

const maker = () => actorOf("finance", staffId, "wallets:create");

async function keep(id: string, changes: Partial<typeof wallet.$inferInsert> = {}): Promise<void> {
  const at = new Date(0);
  const told = { family: "EVM", coin: "ETH", status: "ACTIVE", isForwardPayment: true, createdAt: at, seenAt: at };
  await db.insert(wallet).values({ tenant: "aurora", id, address: `0x${id}`, ...told, ...changes });
}

const outcomes = async (csv: string) =>
  (await importAddressFile(maker(), { csv })).rows.map(({ line, outcome }) => `${line} ${outcome}`);

describe("a file of deposit addresses", () => {
  it("imports addresses by wallet address or id, audited, found by reference", async () => {
    await keep("aa");
    await keep("bb", { family: "BTC", address: "bc1bb" });
    expect(await outcomes("endereço;referência;cliente\n0xAA;pedido-1;ana\nbb;pedido-2")).toEqual([
      "2 saved",
      "3 saved",
    ]);
    expect((await listDepositAddresses({ search: "ana" })).rows).toMatchObject([
      { address: "0xaa", walletId: "aa", family: "EVM", reference: "pedido-1", customer: "ana" },
    ]);
    expect((await listDepositAddresses({ search: "pedido-2" })).rows).toMatchObject([
      { walletId: "bb", customer: null },
    ]);
    expect(await listUnconfirmedWallets()).toEqual([]);
    const trail = await db.select().from(auditEvent);
    expect(trail.map(({ code, detail }) => [code, detail])).toEqual([
      ["wallets.import", { network: "EVM" }],
      ["wallets.import", { network: "BTC" }],
    ]);
    expect(JSON.stringify(await db.select().from(walletRequest))).not.toMatch(/pedido|ana"/);
  });

  it("reports each row's result, and one bad row stops no other", async () => {
    await keep("aa");
    await keep("bb", { address: "0xAA" });
    await keep("cc");
    await keep("dd", { tenant: "boreal" });
    await keep("ee", { family: "unknown:DOGE" });
    const rows = [
      "0xaa;x-1",
      "0xdd;x-1",
      "0xee;x-1",
      "cc;",
      "cc;390.533.447-05",
      "cc;x-1;390.533.447-05",
      "cc;x-1",
      "cc;x-2",
    ];
    expect(await outcomes(rows.join("\n"))).toEqual([
      "1 many-wallets",
      "2 unknown-wallet",
      "3 unknown-wallet",
      "4 bad-reference",
      "5 bad-reference",
      "6 bad-customer",
      "7 saved",
      "8 repeated",
    ]);
  });

  it("holds the audit record's lock no longer than one batch of addresses", async () => {
    const ids = Array.from({ length: 120 }, (_, n) => `w-${n}`);
    const at = new Date(0);
    const told = { family: "EVM", coin: "ETH", status: "ACTIVE", isForwardPayment: true, createdAt: at, seenAt: at };
    await db.insert(wallet).values(ids.map((id) => ({ tenant: "aurora", id, address: `0x${id}`, ...told })));
    const codes = await signedInBeside(db, () => outcomes(ids.map((id) => `${id};order ${id}`).join("\n")));
    expect(codes).toHaveLength(ids.length + 1);
    expect(codes.at(-1)).toBe("wallets.import");
  });

  it("gives an address one reference, under whichever wallet the file names it", async () => {
    await keep("aa");
    await keep("bb", { address: "0xAA" });
    await keep("cc", { address: "0xaa", family: "TRON" });
    expect(await outcomes("aa;pedido-1\nbb;pedido-2\ncc;pedido-3")).toEqual(["1 saved", "2 taken", "3 saved"]);
    expect(await outcomes("bb;pedido-1")).toEqual(["1 same"]);
  });

  it("keeps an address's earlier reference, from a file or from its creation", async () => {
    await keep("aa");
    await Promise.all([outcomes("0xaa;pedido-1"), outcomes("0xaa;pedido-1")]);
    expect(await outcomes("aa;pedido-1")).toEqual(["1 same"]);
    expect(await outcomes("aa;pedido-2")).toEqual(["1 taken"]);
    await givenService();
    const order = { intentId: randomUUID(), family: "EVM", reference: "pedido-7", customer: "" };
    const { address } = await makeDepositAddress(maker(), AddressOrder.parse(order));
    await keep("made", { address: address ?? "" });
    expect(await outcomes("made;pedido-8")).toEqual(["1 taken"]);
    expect((await listDepositAddresses()).total).toBe(2);
  });
});
