import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { grant } from "@/lib/permission/grant";
import { ROLES, type Role } from "@/lib/permission/permission";
import { completeCpf, maskDocument } from "@/lib/contract/document";
import { accountEntry } from "@/lib/db/tables/accounts";
import { providerCall, providerIntent } from "@/lib/db/tables/provider";
import { sealSubject } from "@/lib/db/started-case";
import { kycCase, kycStart } from "@/lib/db/tables/kyc";
import { dossier } from "@/lib/db/tables/dossiers";
import { recordAccess } from "@/lib/audit/access-log";
import { account, onboarding } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { boreal, CPF, givenBoreal, MARK } from "@/test/registries/tenants";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { transfer } from "@/lib/db/tables/transfers";
import { lookupHash } from "@/lib/db/seal";
import { chainMovement, cryptoOrder, wallet, walletRequest } from "@/lib/db/tables/wallets";
import english from "@/messages/en.json";
import { shortAddress } from "@/lib/text/short";
import { findEverywhere, SearchQuery } from "./find";

const HEX = "0x00000000219ab540356cBB839Cbe05303d7705Fa";

let db: Db;
let staffId = "";

beforeEach(async () => {
  const [aurora] = givenEnv().tenants;
  givenEnv({ tenants: [aurora, { ...aurora, clientId: "boreal", name: "Boreal" }] });
  db = await givenStore();
  staffId = await givenStaff(db, ...ROLES);
  await givenBoreal(db, staffId);
  await db.update(account).set({ number: "12345-6" });
  await db.update(kycCase).set({ vatNumber: maskDocument(CPF) });
  await db.update(wallet).set({ address: HEX });
});

function seek(query: string, { roles = ROLES, tenant = "boreal" }: { roles?: readonly Role[]; tenant?: string } = {}) {
  const actor = grant({ staffId, tenant, roles }, "accounts:read");
  if (actor === null) throw new Error("may not search");
  return findEverywhere(actor, SearchQuery.parse({ query }));
}

const groupsOf = async (...asked: Parameters<typeof seek>) => (await seek(...asked)).hits.map(({ group }) => group);

/** Also the user of an account. */
const OF_TEXT = ["accounts", "onboarding", "kyc", "wallets", "deliveries"];
const BY_UUID = ["accounts", "onboarding", "transfers", "approvals"];

const TRON = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
const TRON_IN_HEX = "415cbdd86a2fa8dc4bddd8a8f69dba48572eec07fb";
const EVM_HASH = `0x${"9f8e7d6c".repeat(8)}`;
const BITCOIN_HASH = "0a1b2c3d".repeat(8);
const SOLANA_HASH = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";

/** Turns Boreal's one write into a crypto transfer from its wallet. */
async function givenCryptoTransfer(to: Partial<typeof providerIntent.$inferInsert>): Promise<void> {
  await db.delete(transfer);
  await db.update(cryptoOrder).set({ amount: "10.50", asset: "USDT" }).where(eq(cryptoOrder.tenant, "boreal"));
  await db.update(providerIntent).set({ operation: "/v1/crypto/transfer", object: `wallet:${boreal.text}`, ...to });
}

const tellHash = (txHash: string) =>
  db.insert(auditEvent).values({
    tenant: "boreal",
    actor: staffId,
    code: "crypto-transfers.create",
    outcome: "DONE",
    object: `wallet:${boreal.text}`,
    intentId: boreal.uuid,
    detail: { txHash },
  });

const cryptoHit = (state: string) => ({
  group: "wallets",
  href: `/coins/${boreal.uuid}`,
  title: "Crypto transfer · 10.5 USDT",
  state,
  detail: HEX,
});

const accountState = async () => (await seek("12345-6")).hits[0]?.state;
const caseState = async () => (await seek(boreal.text)).hits.find(({ group }) => group === "kyc")?.state;

const ofCases = async () =>
  (await seek(CPF)).hits.flatMap((hit) => (hit.group === "kyc" ? [[hit.href, hit.isPerhaps]] : []));

const found = () => db.select().from(auditEvent).where(eq(auditEvent.code, "customer.search"));

describe("the one search", () => {
  it("finds accounts, onboardings and cases by document in any spelling, masked", async () => {
    const { shape, hits, canAskProvider } = await seek(`  ${CPF.slice(0, 3)}.${CPF.slice(3)} `);
    expect([shape, canAskProvider]).toEqual(["cpf", true]);
    expect(hits.map(({ group, href }) => [group, href])).toEqual([
      ["accounts", `/accounts/${boreal.uuid}`],
      ["onboarding", `/onboarding/${boreal.uuid}`],
      ["kyc", `/kyc/${boreal.text}`],
    ]);
    expect(JSON.stringify(hits)).not.toContain(CPF);
    expect(JSON.stringify(hits)).toContain(maskDocument(CPF));
  });

  it("finds a document within words", async () => {
    const { hits, shape } = await seek(`CPF: ${CPF} (Mariana)`);
    expect([shape, hits.map(({ group }) => group)]).toEqual(["cpf", ["accounts", "onboarding", "kyc"]]);
  });

  it("finds a document whose leading zeros a spreadsheet dropped", async () => {
    const short = completeCpf("004172056");
    await db.update(account).set({ documentHash: lookupHash(short) });
    expect(await seek(String(Number(short)))).toMatchObject({
      restored: maskDocument(short),
      hits: [{ group: "accounts", href: `/accounts/${boreal.uuid}` }],
    });
    expect(await seek(`cliente cpf: ${Number(short)}, e outro`)).toMatchObject({
      restored: maskDocument(short),
      hits: [{ group: "accounts", href: `/accounts/${boreal.uuid}` }],
    });
    expect(await seek("12345-6")).toMatchObject({ restored: null, alsoRead: null });
    expect(await seek("1234567890")).toMatchObject({ shape: "number", hits: [], alsoRead: "***.345.678-**" });
    await db.update(kycCase).set({ vatNumber: maskDocument(short) });
    const { hits } = await seek(String(Number(short)));
    expect(hits.map(({ group, isPerhaps = false }) => [group, isPerhaps])).toEqual([
      ["accounts", false],
      ["kyc", true],
    ]);
  });

  it("finds a case by mask for a document without its zeros that is nothing else", async () => {
    const short = completeCpf("004172056");
    const typed = String(Number(short));
    await db.update(kycCase).set({ vatNumber: maskDocument(short) });
    expect(await seek(typed)).toMatchObject({
      restored: maskDocument(short),
      hits: [{ group: "kyc", isPerhaps: true }],
    });
    await db.update(account).set({ number: `${typed.slice(0, -1)}-${typed.slice(-1)}` });
    expect(await seek(typed)).toMatchObject({ restored: null, hits: [{ group: "accounts" }] });
  });

  it("finds a hash with 0x and without, a counterparty in hex and a user", async () => {
    await db.update(chainMovement).set({ hash: EVM_HASH, counterAddress: TRON });
    await db.update(wallet).set({ userId: "user-7" });
    const isTheWallet = [expect.objectContaining({ group: "wallets", detail: HEX })];
    for (const typed of [EVM_HASH.slice(2), `"${EVM_HASH.toUpperCase().replace("0X", "0x")}";`, TRON, TRON_IN_HEX])
      expect((await seek(typed)).hits).toEqual(isTheWallet);
    expect(await groupsOf("user-7")).toContain("wallets");
  });

  it("finds an address with two ids once, and shows both", async () => {
    const [one] = await db.select().from(wallet).where(eq(wallet.tenant, "boreal"));
    const [moved] = await db.select().from(chainMovement).where(eq(chainMovement.tenant, "boreal"));
    if (one === undefined || moved === undefined) throw new Error("nothing is there");
    await db.insert(wallet).values({ ...one, id: "other", address: HEX.toLowerCase(), createdAt: new Date(0) });
    await db.update(chainMovement).set({ hash: EVM_HASH });
    await db.insert(chainMovement).values({ ...moved, walletId: "other", hash: EVM_HASH.slice(2) });
    const both = expect.stringContaining(`IDs ${boreal.text}, other`);
    const isOne = [expect.objectContaining({ href: expect.stringContaining(`/wallets/${boreal.text}`), detail: both })];
    expect((await seek(HEX)).hits).toEqual(isOne);
    expect((await seek(EVM_HASH)).hits).toEqual(isOne);
  });

  it("says that a case with the same mask alone may be someone else's", async () => {
    const [row] = await db.select().from(kycCase).where(eq(kycCase.tenant, "boreal"));
    if (row === undefined) throw new Error("no case");
    const theirs = randomUUID();
    const another = randomUUID();
    await db.insert(kycCase).values([theirs, another].map((kycUUID) => ({ ...row, kycUUID, seq: undefined })));
    const isTheStart = eq(kycStart.tenant, "boreal");
    await db
      .update(kycStart)
      .set({ kycUUID: theirs, documentHash: lookupHash(CPF) })
      .where(isTheStart);
    expect(await ofCases()).toEqual([
      [`/kyc/${theirs}`, undefined],
      [`/kyc/${another}`, true],
      [`/kyc/${boreal.text}`, true],
    ]);
    await db
      .update(kycStart)
      .set({ documentHash: lookupHash("11144777735") })
      .where(isTheStart);
    expect(await ofCases()).toEqual([
      [`/kyc/${another}`, true],
      [`/kyc/${boreal.text}`, true],
    ]);
  });

  it("logs a document search once an hour on each record found, and no other search", async () => {
    await seek("12345-6");
    await seek(boreal.text);
    expect(await found()).toEqual([]);
    await seek(CPF);
    await seek(CPF);
    expect((await found()).map(({ actor, object }) => [actor, object])).toEqual([
      [staffId, `account:${boreal.uuid}`],
      [staffId, `onboarding:${boreal.uuid}`],
      [staffId, `kyc:${boreal.text}`],
    ]);
  });

  it.each([
    ["an account's number", "12345-6", "number", ["accounts"]],
    ["an account's number without its digit", "12345", "number", ["accounts"]],
    ["an account's number with its branch", "1 / 12345-6", "number", ["accounts"]],
    ["another branch's number", "2 / 12345-6", "number", []],
    ["a number as lists print it", "0001 12345-6", "number", ["accounts"]],
    ["a number as an account's page prints it", "Agência 0001 · Conta 12345-6", "number", ["accounts"]],
    ["a number as people write it", "ag 0001 cc 12345-6", "number", ["accounts"]],
    ["a number called another branch's", "ag 0002 cc 12345-6", "number", []],
    ["the provider's id of an account", `${MARK}-account`, "id", ["accounts"]],
    ["an id that several records have", boreal.text, "id", OF_TEXT],
    ["the same id in capitals", boreal.text.toUpperCase(), "id", OF_TEXT],
    ["the id of an account in other cases", `${MARK.toUpperCase()}-Account`, "id", ["accounts"]],
    ["the id that a screen of ours has in its address", boreal.uuid, "uuid", BY_UUID],
    ["the beginning of such an id", boreal.uuid.slice(0, 18), "id", BY_UUID],
    ["a chain's address in small letters", HEX.toLowerCase(), "address", ["wallets"]],
    ["what names nothing", "Maria da Silva", null, []],
    ["a word", "maria", null, []],
  ])("finds records by %s", async (_, query, shape, groups) => {
    expect((await seek(query)).shape).toBe(shape);
    expect(await groupsOf(query)).toEqual(groups);
  });

  it.each([
    ["a phone as people write it", "+55 (11) 98765-4321", "pix-key"],
    ["an e-mail", "Maria@Exemplo.com.br", "pix-key"],
    ["a CPF", CPF, "cpf"],
    ["a random key", "8f14e45f-ceea-467f-9575-0d3c5a6e2b11", "uuid"],
  ])("offers a PIX key look-up of %s only with transfer rights, never in a URL", async (_, key, shape) => {
    const asked = await seek(key);
    expect([asked.shape, asked.canAskPixKey]).toEqual([shape, true]);
    for (const { href } of asked.hits) expect(href).not.toContain(key);
    expect((await seek(key, { roles: ["compliance"] })).canAskPixKey).toBe(false);
  });

  it.each([
    ["a hash", "ab".repeat(32), true],
    ["an address", "0x9858EfFD232B4033E47d90003D41EC34EcaEda94", true],
    ["a reference", "pedido-20418", true],
    ["a random PIX key", "8f14e45f-ceea-467f-9575-0d3c5a6e2b11", false],
    ["a CPF", CPF, false],
    ["a CPF within an id", `pedido-${CPF.replaceAll(/\D/g, "")}`, false],
  ])("asks whether a customer paid for %s: %s, %s", async (_, typed, may) => {
    const askedBy = async (role: Role) => (await seek(typed, { roles: [role] })).canAskPaid;
    expect(await Promise.all((["support", "finance", "auditor"] as const).map(askedBy))).toEqual([may, may, false]);
  });

  it.each([
    ["bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu", "bitcoin:BC1QCR8TE4KR609GCAWUTMRZA0J4XV80JY8Z306FYU?amount=1"],
    ["bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu", "BC1QCR8TE4KR609GCAWUTMRZA0J4XV80JY8Z306FYU"],
    ["0x9858EfFD232B4033E47d90003D41EC34EcaEda94", "ethereum:0x9858effd232b4033e47d90003d41ec34ecaeda94@137"],
    ["rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY", "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY:12345"],
    ["rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY", "XV5sbjUmgPpvXv4ixFWZ5ptAYZ6PD28Sq49uo34VyjnmK5H"],
  ])("finds the wallet %s by %s", async (address, query) => {
    await db.update(wallet).set({ address });
    expect(await seek(query)).toMatchObject({ shape: "address", hits: [{ group: "wallets", title: address }] });
  });

  it.each([
    ["529\u2011982\u2011247\u201126", "slip"],
    ["id:52998224725", "cpf"],
  ])("never searches for %j as an id, but as a %s", async (typed, shape) => {
    expect(await seek(typed)).toMatchObject({ shape, hits: [] });
  });

  it.each(["transactionId", "endToEndId", "returnId"] as const)("finds a transfer by its %s", async (name) => {
    const id = "E1823612020261127153004d8a3f1c2b";
    await db.update(transfer).set({ [name]: id });
    expect((await seek(id)).hits.map(({ group, detail }) => [group, detail])).toEqual([["transfers", id]]);
  });

  it("finds an entry by its id in every account that is kept", async () => {
    const id = "E1823612020261127153004d8a3f1c2b";
    const [one] = await db.select().from(account).where(eq(account.tenant, "boreal"));
    if (one === undefined) throw new Error("no account");
    const other = { ...one, ref: randomUUID(), accountId: "other", branch: "0001", number: "9-8", holder: "J••• S•••" };
    await db.insert(account).values({ ...other, documentHash: "", documentSealed: "" });
    const at = new Date("2026-03-02T15:04:00Z");
    const told = { type: "PIX", status: "", directionWord: "", amount: "12.50", isDated: true, isBooked: true };
    const kept = { ...told, tenant: "boreal", key: "k", ordinal: 0, transactionId: id, at, keptAt: at, textSealed: "" };
    await db.insert(accountEntry).values([
      { ...kept, accountRef: boreal.uuid, direction: "out" },
      { ...kept, accountRef: other.ref, direction: "in" },
      { ...kept, accountRef: other.ref, ordinal: 1, direction: "in", droppedAt: at },
    ]);
    const { hits } = await seek(` ${id} `);
    const hrefs = [boreal.uuid, other.ref].map((ref) => `/accounts/${ref}?from=2026-03-02&to=2026-03-02&entry=${id}`);
    expect(new Set(hits.map(({ href }) => href))).toEqual(new Set(hrefs));
    const theirs = hits.find(({ href }) => href.includes(other.ref));
    expect(theirs).toMatchObject({ state: english.movements.directions.in, detail: `0001 / 9-8 · J••• S••• · ${id}` });
    expect(await groupsOf(id, { tenant: "aurora" })).toEqual([]);
    expect(await groupsOf(id, { roles: ["support"] })).toEqual(["entries", "entries"]);
  });

  it.each([EVM_HASH, BITCOIN_HASH, SOLANA_HASH])("finds the wallet by its movement %s", async (hash) => {
    const moved = {
      walletId: boreal.text,
      network: "BSC",
      subtype: "incoming",
      counterAddress: "x",
      amount: "1",
    } as const;
    const rows = [0, 1].map((ordinal) => ({ ...moved, tenant: "boreal", key: "k", ordinal, hash, at: new Date() }));
    await db.insert(chainMovement).values(rows);
    const href = `/wallets/${boreal.text}?search=${hash.toUpperCase()}`;
    const { hits } = await seek(hash.toUpperCase().replace("0X", "0x"));
    expect(hits).toMatchObject([{ group: "wallets", title: english.wallets.history.title, detail: HEX }]);
    expect(hits[0]?.href.toLowerCase()).toBe(href.toLowerCase());
    const otherwise = hash.startsWith("0x") ? hash.slice(2) : `0x${hash}`;
    expect((await seek(hash === SOLANA_HASH ? hash : otherwise)).hits).toEqual(hits);
    expect((await seek(shortAddress(hash))).hits).toMatchObject([{ href: hits[0]?.href.replace(/=.*/, `=${hash}`) }]);
    expect(await groupsOf(`${hash.slice(0, 10)}…${"z".repeat(8)}`)).toEqual([]);
    expect(await groupsOf(hash, { tenant: "aurora" })).toEqual([]);
    expect(await groupsOf(hash, { roles: ["support"] })).toEqual([]);
  });

  it.each(["order-7", "Pedido", "Pedido da Ágata"])(
    "finds a deposit address by its whole reference %s",
    async (reference) => {
      const address = "TXfound";
      const made = { kind: "address", walletId: null, address } as const;
      await db.update(walletRequest).set({ ...made, referenceHash: lookupHash(reference) });
      const href = `/wallets/addresses?search=${encodeURIComponent(reference).replaceAll("%20", "+")}`;
      const asked = await seek(reference);
      expect(asked).toMatchObject({ shape: "id", hits: [{ group: "wallets", title: address, href }] });
      expect((await seek(reference.slice(0, -1))).hits).toEqual([]);
      await db.update(wallet).set({ address });
      expect((await seek(reference)).hits).toMatchObject([{ href: `/wallets/${boreal.text}` }]);
    },
  );

  it.each(["0x000000…7705Fa", "0x000000…7705fa"])("finds a wallet by %s, as the list shortens it", async (short) => {
    const { hits, canAskProvider } = await seek(short);
    expect([hits.map(({ title }) => title), canAskProvider]).toEqual([[HEX], false]);
    expect(await groupsOf("0x000000…000000")).toEqual([]);
  });

  it("finds a case by the hash of its decision's dossier", async () => {
    const sha256 = "5f".repeat(32);
    const row = { tenant: "boreal", id: randomUUID(), object: `kyc:${boreal.text}`, intentId: boreal.uuid, staffId };
    await db.insert(dossier).values({ ...row, opening: randomUUID(), frozenHash: "", sealedAt: new Date(), sha256 });
    expect(await groupsOf(sha256.toUpperCase())).toEqual(["kyc"]);
    expect(await groupsOf(sha256, { tenant: "aurora" })).toEqual([]);
  });

  it("lists everybody with a mask copied from a screen", async () => {
    await db.update(account).set({ holder: "J••• S•••", documentMask: maskDocument(CPF) });
    await db.update(onboarding).set({ documentMask: maskDocument(CPF) });
    const { shape, hits, canAskProvider } = await seek(maskDocument(CPF));
    expect([shape, canAskProvider]).toEqual(["mask", false]);
    expect(hits.map(({ group }) => group)).toEqual(["accounts", "onboarding", "kyc"]);
    expect(await groupsOf("J••• S•••")).toEqual(["accounts", "onboarding"]);
    expect(await groupsOf("X••• Y•••")).toEqual([]);
    expect(await groupsOf("***.000.000-**")).toEqual([]);
  });

  it("reads fourteen letters and digits as an id unless written as a CNPJ", async () => {
    expect(await seek("a1b2c3d4e5f612")).toMatchObject({ shape: "id" });
  });

  it.each(["529.982.247-26", "11.222.333/0001-82", "11222333000182", "11.ABC.333/0001-82"])(
    "calls %s an invalid document, not an id",
    async (typed) => {
      expect(await seek(typed)).toMatchObject({ shape: "slip", hits: [], canAskProvider: false, canAskPixKey: false });
    },
  );

  it("shows an account's state in the reader's language, an unknown one as received", async () => {
    await db.update(account).set({ standing: "OPEN", statusWord: "ACTIVE" });
    expect(await accountState()).toBe(english.standings.OPEN);
    await db.update(account).set({ standing: "UNKNOWN", statusWord: "EM_REVISAO" });
    expect(await accountState()).toBe("EM_REVISAO");
  });

  it("offers no PIX look-up of an invalid key", async () => {
    expect((await seek(HEX)).canAskPixKey).toBe(false);
    expect((await seek(`${MARK}-account`)).canAskPixKey).toBe(false);
  });

  it.each([
    ["of hexadecimal digits, in any case", EVM_HASH, EVM_HASH.toUpperCase().replace("0X", "0x")],
    ["of hexadecimal digits alone", BITCOIN_HASH, BITCOIN_HASH],
    ["without the 0x that was told", EVM_HASH, EVM_HASH.slice(2)],
    ["with a 0x that was not told, as TRON's", BITCOIN_HASH, `0x${BITCOIN_HASH}`],
    ["as Solana signs", SOLANA_HASH, SOLANA_HASH],
    ["as lists shorten it", EVM_HASH, shortAddress(EVM_HASH)],
  ])("finds a crypto transfer by its hash on the chain: %s", async (_, told, typed) => {
    await givenCryptoTransfer({ state: "DONE" });
    await tellHash(told);
    const { shape, hits } = await seek(typed);
    expect(shape).toBe(typed.includes("…") ? "id" : "hash");
    expect(hits).toEqual([cryptoHit(english.coins.states.DONE)]);
    expect(await groupsOf(typed, { roles: ["support"] })).toEqual([]);
    expect(await groupsOf(typed, { tenant: "aurora" })).toEqual([]);
  });

  it("finds a crypto transfer by the antifraud's case, as it stands now", async () => {
    const antifraudId = "antifraud-77";
    await givenCryptoTransfer({ state: "HELD", antifraudId });
    expect((await seek(antifraudId)).hits).toEqual([cryptoHit(english.coins.states.HELD)]);
    await givenCryptoTransfer({ state: "REFUSED", antifraudId, code: "TRANSACTION_BLOCKED" });
    expect((await seek(antifraudId)).hits).toEqual([cryptoHit(english.coins.states.BLOCKED)]);
    expect(await groupsOf(antifraudId, { roles: ["support"] })).toEqual([]);
  });

  it("finds pages of the handbook by words, in the reader's language", async () => {
    const { shape, hits, canAskProvider } = await seek(english.triage.putOff.title);
    expect([shape, canAskProvider]).toEqual([null, false]);
    expect(hits[0]).toMatchObject({ group: "help", href: "/help/kyc-put-off", state: null });
    expect(await groupsOf("put off zebra")).toEqual([]);
    expect(await groupsOf("held-77")).toEqual([]);
  });

  it("finds a call by the provider's reference and by ours", async () => {
    await db.update(providerCall).set({ providerRequestId: "req-of-theirs-77" });
    const { hits } = await seek("req-of-theirs-77");
    expect(hits).toMatchObject([{ group: "calls", href: "/calls?search=req-of-theirs-77" }]);
    expect(await groupsOf("req-of-theirs-77", { roles: ["support"] })).toEqual([]);
  });

  it("shows a person's initials and kind beside the mask, never the name", async () => {
    await db.update(account).set({ holder: "J••• S•••" });
    const subject = { vatNumber: CPF, name: "Joana Souza", birthDate: "07-09-1984", motherName: "Ana Souza" };
    const sealed = sealSubject({ table: "kyc_start", row: ["boreal", boreal.uuid] }, subject);
    await db.update(kycStart).set({ ...sealed, kycUUID: boreal.text });
    const { hits } = await seek(CPF);
    const who = `J••• S••• · ${english.onboarding.kinds.PF} · ${maskDocument(CPF)}`;
    expect(hits.filter(({ group }) => group !== "accounts").map(({ title }) => title)).toEqual([who, who]);
    expect(hits.find(({ group }) => group === "onboarding")?.detail).toBe(`0001 / 12345-6 · ${boreal.text}`);
    expect(JSON.stringify(hits)).not.toMatch(/Joana|Souza/);
  });

  it("shows a case's state in the reader's language, and an unknown word as received", async () => {
    expect(await caseState()).toBe(english.kyc.status.PENDING);
    await db.execute("update kyc_case set status = 'EM_ANALISE'");
    expect(await caseState()).toBe("EM_ANALISE");
  });

  it("hides records that the reader may not read", async () => {
    expect(await groupsOf(boreal.text, { roles: ["compliance"] })).toEqual(["accounts", "onboarding", "kyc"]);
    expect(await groupsOf(boreal.text, { roles: ["support"] })).toEqual([
      "accounts",
      "onboarding",
      "kyc",
      "deliveries",
    ]);
    expect(await groupsOf(boreal.text, { tenant: "aurora" })).toEqual([]);
    expect(await groupsOf(CPF, { tenant: "aurora" })).toEqual([]);
  });

  it("shows at most five hits of a kind, and says that there are more", async () => {
    const [one] = await db.select().from(account).where(eq(account.tenant, "boreal"));
    const others = Array.from({ length: 6 }, (_, n) => ({
      ...one,
      tenant: "boreal",
      ref: `00000000-0000-4000-8000-00000000000${n}`,
      accountId: `other-${n}`,
      branch: "0001",
      number: "12345-6",
      documentHash: one?.documentHash ?? "",
      documentSealed: one?.documentSealed ?? "",
      firstSeenAt: new Date(),
    }));
    await db.insert(account).values(others);
    const { hits, more } = await seek("12345-6");
    expect([hits.length, more]).toEqual([5, ["accounts"]]);
  });

  it("starts with the person's last views, newest first", async () => {
    const reader = grant({ staffId, tenant: "boreal", roles: ROLES }, "accounts:read");
    if (reader === null) throw new Error("may not read");
    expect(await groupsOf("")).toEqual([]);
    await recordAccess(reader, `account:${boreal.uuid}`);
    await recordAccess(reader, `kyc:${boreal.text}`);
    expect(await groupsOf("")).toEqual(["kyc", "accounts"]);
    expect(await groupsOf("", { tenant: "aurora" })).toEqual([]);
  });
});
