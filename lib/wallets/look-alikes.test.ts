import { orderCoins } from "./send-coins";
import { reviewSend } from "./review-send";
import { createHash, randomUUID } from "node:crypto";
import { base58, bech32, hex } from "@scure/base";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { readSnapshot } from "@/lib/approvals/snapshot";
import { checksummed, encodeBase58Check } from "@/lib/contract/addresses";
import { CHAIN_FAMILIES, type ChainFamily, FAMILY_NETWORKS } from "@/lib/contract/crypto";
import type { Db } from "@/lib/db/connection";
import { approval, approvalPolicy } from "@/lib/db/tables/approvals";
import { intentClaim } from "@/lib/db/tables/intent-claim";
import { chainMovement, addressEnd, wallet, walletRequest } from "@/lib/db/tables/wallets";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { walletsOf } from "@/test/support/service/crypto";
import type { Harness } from "@/test/support/service/harness";
import { SendForm, SendOrder } from "./inputs";
import { readWalletHistory } from "./history-list";
import { looksLike } from "./look-alikes";
import { type LookAlike, middleOf } from "./view";

let db: Db;
let service: Harness;
let makerId = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  service = await givenService();
  makerId = await givenStaff(db, "finance");
});

const maker = () => actorOf("finance", makerId, "crypto-transfers:create");

const hash = (text: string) => Uint8Array.from(createHash("sha256").update(text).digest());

const SPELT: Readonly<Record<ChainFamily, (account: Uint8Array) => string>> = {
  EVM: (account) => checksummed(hex.encode(account.subarray(0, 20))),
  BTC: (account) => bech32.encode("bc", [0, ...bech32.toWords(account.subarray(0, 20))]),
  TRON: (account) => encodeBase58Check(Uint8Array.from([0x41, ...account.subarray(0, 20)]), "bitcoin"),
  SOLANA: (account) => base58.encode(account),
  XRPL: (account) => encodeBase58Check(Uint8Array.from([0, ...account.subarray(0, 20)]), "xrpl"),
};
const PREFIX: Readonly<Record<ChainFamily, number>> = { EVM: 2, BTC: 4, TRON: 1, SOLANA: 0, XRPL: 1 };

type Pair = { known: string; meant: string };

/** Pairs of addresses that share the first or last four characters, found by the birthday paradox. */
function pairsOf(family: ChainFamily, end: "first" | "last"): Pair[] {
  const seen = new Map<string, string>();
  const pairs: Pair[] = [];
  for (let n = 0; pairs.length < SOURCES.length; n += 1) {
    const address = SPELT[family](hash(`${family} ${end} ${n}`));
    const ends = end === "first" ? address.slice(PREFIX[family], PREFIX[family] + 4) : address.slice(-4);
    const known = seen.get(ends.toLowerCase());
    if (known !== undefined) pairs.push({ known, meant: address });
    seen.set(ends.toLowerCase(), address);
  }
  return pairs;
}

const now = () => new Date("2026-07-01T12:00:00Z");

async function listed(family: ChainFamily, address: string): Promise<string> {
  const id = randomUUID();
  const seen = { createdAt: now(), seenAt: now() };
  await db.insert(wallet).values({ tenant: "aurora", id, address, family, coin: "", status: "ACTIVE", ...seen });
  return id;
}

async function moved(
  family: ChainFamily,
  counterAddress: string,
  told: { subtype: string; amount?: string; walletId?: string },
) {
  const [network = "ETHEREUM"] = FAMILY_NETWORKS[family];
  const one = { tenant: "aurora", walletId: "w", network, key: randomUUID(), ordinal: 0, hash: randomUUID() };
  await db.insert(chainMovement).values({ ...one, amount: "1", at: now(), counterAddress, ...told });
}

async function saved(family: ChainFamily, address: string): Promise<void> {
  const id = randomUUID();
  const claim = { kind: "wallet.address", actor: makerId, isProposed: false, createdAt: now() };
  await db.insert(intentClaim).values({ tenant: "aurora", id, ...claim });
  const request = { kind: "address", family, isForward: true, staffId: makerId, createdAt: now(), address } as const;
  await db.insert(walletRequest).values({ tenant: "aurora", intentId: id, ...request });
}

const SOURCES: readonly (readonly [LookAlike["as"], (family: ChainFamily, address: string) => Promise<unknown>])[] = [
  ["paid", (family, address) => moved(family, address, { subtype: "outgoing" })],
  ["ours", listed],
  ["saved", saved],
  ["history", (family, address) => moved(family, address, { subtype: "incoming", amount: "0" })],
];

const formOf = (family: ChainFamily, walletId: string, to: string) => ({
  walletId,
  network: FAMILY_NETWORKS[family][0],
  token: "",
  to,
  amount: "0,5",
});
const orderOf = (form: ReturnType<typeof formOf>, seenAlike?: string[]) =>
  SendOrder.parse({ ...form, intentId: randomUUID(), middleSix: middleOf(form.to).text, seenAlike });

const unseen = { kind: "conflict", details: { code: "crypto-look-alike" } };

async function approverReads(approvalId: string) {
  const [row] = await db.select().from(approval).where(eq(approval.id, approvalId));
  const shown = row === undefined ? null : (await readSnapshot(row))?.shown;
  return shown?.facts.find(({ name }) => name === "alike")?.after;
}

async function senders(walletId: string) {
  const read = await readWalletHistory(actorOf("finance", makerId, "wallets:read"), walletId);
  return (read?.rows ?? []).map(({ counterparty: { address, poses } }) => [address, poses]);
}

describe("dust", () => {
  it.each(CHAIN_FAMILIES)("flags a tiny amount on %s whose sender resembles a paid address", async (family) => {
    const [first, second, third] = [...pairsOf(family, "last"), ...pairsOf(family, "first")];
    if (first === undefined || second === undefined || third === undefined) throw new Error("too few pairs");
    const walletId = await listed(family, SPELT[family](hash(`${family} from`)));
    for (const { known } of [first, second, third]) await moved(family, known, { subtype: "outgoing" });
    const arrive = (address: string, amount: string) =>
      moved(family, address, { subtype: "incoming", amount, walletId });
    await arrive(first.meant, "0");
    await arrive(second.meant, "0.00001");
    await arrive(third.meant, "2");
    await arrive(first.known, "0");
    const rows = await senders(walletId);
    expect(rows).toHaveLength(4);
    expect(rows).toEqual(
      expect.arrayContaining([
        [first.meant, first.known],
        [second.meant, second.known],
        [third.meant, null],
        [first.known, null],
      ]),
    );
  });
});

describe("an address that looks like another", () => {
  const cases = CHAIN_FAMILIES.flatMap((family) => (["first", "last"] as const).map((end) => [family, end] as const));

  it.each(cases)("asks about a look-alike on %s with the same %s four, and tells the approver", async (family, end) => {
    const pairs = pairsOf(family, end);
    const from = await listed(family, SPELT[family](hash(`${family} from`)));
    for (const [n, [as, know]] of SOURCES.entries()) {
      const { known, meant } = pairs[n] ?? { known: "", meant: "" };
      const form = formOf(family, from, meant);
      expect((await reviewSend(maker(), SendForm.parse(form))).alike).toEqual([]);
      await know(family, known);
      expect((await reviewSend(maker(), SendForm.parse(form))).alike).toEqual([{ address: known, as }]);
      await expect(orderCoins(maker(), orderOf(form))).rejects.toMatchObject(unseen);
      await expect(orderCoins(maker(), orderOf(form, [meant]))).rejects.toMatchObject(unseen);
      const done = await orderCoins(maker(), orderOf(form, [known]));
      if (done.state !== "PROPOSED") throw new Error(`it was ${done.state}`);
      expect(await approverReads(done.approvalId)).toEqual({ as: "alike", found: [{ address: known, as }] });
    }
  });

  it("excludes the address itself, other tenants and other families", async () => {
    const [pair = { known: "", meant: "" }] = pairsOf("EVM", "first");
    const from = await listed("EVM", SPELT.EVM(hash("from")));
    const form = SendForm.parse(formOf("EVM", from, pair.meant));
    await listed("EVM", pair.meant.toLowerCase());
    await listed("TRON", pair.known);
    await db.update(wallet).set({ tenant: "boreal" }).where(eq(wallet.family, "TRON"));
    await db.update(wallet).set({ family: "EVM" }).where(eq(wallet.tenant, "boreal"));
    expect((await reviewSend(maker(), form)).alike).toEqual([]);
    expect(looksLike("EVM", pair.known, pair.meant)).toBe(true);
    expect(looksLike("EVM", pair.meant, pair.meant.toLowerCase())).toBe(false);
  });

  it("finds look-alikes beside what left from here, even without a chain read", async () => {
    const rule = { kind: "crypto.transfer", version: 1, rule: "never", expiresAfterHours: 24 } as const;
    await db.insert(approvalPolicy).values({ tenant: "aurora", ...rule, staffId: makerId, createdAt: now() });
    const wallets = walletsOf(service);
    const { address } = await wallets.create("EVM");
    await wallets.deposit({ network: "ETHEREUM", address, amount: "5" });
    const from = await listed("EVM", address);
    const [{ known, meant } = { known: "", meant: "" }] = pairsOf("EVM", "last");
    await orderCoins(maker(), orderOf(formOf("EVM", from, known)));
    const form = formOf("EVM", from, meant);
    expect((await reviewSend(maker(), SendForm.parse(form))).alike).toEqual([{ address: known, as: "paid" }]);
    await expect(orderCoins(maker(), orderOf(form))).rejects.toMatchObject(unseen);
  });
});

it("finds hashes, counterparties and their ends by an index", async () => {
  await db.execute(sql`insert into chain_movement (tenant, wallet_id, network, key, ordinal, hash, subtype, counter_address, amount, at)
    select 'aurora', 'w', 'ETHEREUM', n, 0, md5(n::text), 'incoming', '0x' || md5('from' || n), '1', now()
    from generate_series(1, 5000) n`);
  await db.execute(sql`analyze chain_movement`);
  const { hash: of, counterAddress } = chainMovement;
  const plans = [
    sql`lower(${of}) in ('a', '0xa')`,
    sql`lower(${counterAddress}) = '0xa'`,
    sql`lower(${counterAddress}) like '0xabcd%' or ${addressEnd(counterAddress)} in ('abcd')`,
  ].map((where) => db.execute(sql`explain select 1 from chain_movement where tenant = 'aurora' and (${where})`));
  const [byHash, byCounterparty, byEnds] = (await Promise.all(plans)).map((plan) => JSON.stringify(plan));
  expect(byHash).toContain("chain_movement_hash");
  expect(byCounterparty).toContain("chain_movement_counterparty");
  expect(byEnds).toMatch(/chain_movement_counterparty.*chain_movement_ending/);
});
