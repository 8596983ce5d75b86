import { beforeEach, describe, expect, it } from "vitest";
import { completeCpf, maskDocument } from "@/lib/contract/document";
import type { Actor } from "@/lib/permission/grant";
import type { Db } from "@/lib/db/connection";
import { lookupHashes } from "@/lib/db/seal";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { givenCase, givenStarted } from "@/test/support/kyc";
import { readCaseQueue } from "./queue";
import { casesOf } from "./records";
import { seekCase } from "./seek";
import { findSameDocument } from "./same-document";

const MASKED = "***.982.247-**";
const HERS = "52998224725";
const HIS = completeCpf("411982247");

let db: Db;
let me: Actor<"kyc:read">;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  me = actorOf("compliance", await givenStaff(db, "compliance"), "kyc:read");
});

const shown = async (filter: { sameDocumentAs?: string; sameMaskAs?: string }) =>
  (await readCaseQueue(me, { ...filter, status: "all" })).rows.map(({ kycUUID, isPerhaps }) => [kycUUID, isPerhaps]);

async function givenStartedCase(document: string): Promise<string> {
  const kycUUID = await givenCase(db, { vatNumber: maskDocument(document) });
  await givenStarted(db, me.id, { kycUUID, document });
  return kycUUID;
}

describe("the search for a document's cases", () => {
  it("finds the case started here before a newer one with the same mask", async () => {
    const hers = await givenStartedCase(HERS);
    const unknown = await givenCase(db, { vatNumber: MASKED });
    expect(await findSameDocument(me, { query: "529.982.247-25" })).toEqual({ kycUUID: hers, by: "document" });
    expect(await shown({ sameDocumentAs: hers })).toEqual([
      [unknown, true],
      [hers, false],
    ]);
  });

  it("finds a case by a CPF whose leading zero a spreadsheet dropped", async () => {
    const document = completeCpf("044976632");
    const kycUUID = await givenStartedCase(document);
    const short = String(Number(document));
    for (const query of [short, `${short.slice(0, 2)}.${short.slice(2, 5)}.${short.slice(5, 8)}-${short.slice(8)}`])
      expect(await findSameDocument(me, { query })).toEqual({
        kycUUID,
        by: "document",
        restored: maskDocument(document),
      });
    const nobody = completeCpf("044976633");
    expect(await findSameDocument(me, { query: String(Number(nobody)) })).toEqual({
      kycUUID: null,
      by: "document",
      restored: maskDocument(nobody),
    });
  });

  it("finds no case for a valid document that shares another's mask", async () => {
    const his = await givenStartedCase(HIS);
    expect(await findSameDocument(me, { query: HERS })).toEqual({ kycUUID: null, by: "document" });
    const unknown = await givenCase(db, { vatNumber: MASKED });
    expect(await findSameDocument(me, { query: HERS })).toEqual({ kycUUID: unknown, by: "document" });
    expect(await shown({ sameDocumentAs: unknown })).toEqual([[unknown, true]]);
    expect(await shown({ sameDocumentAs: his })).toEqual([
      [unknown, true],
      [his, false],
    ]);
  });

  it.each(["529.982.247-26", "52998224700", "529 982 247 24", "11.222.333/0001-80", "12.ABC.345/01DE-36"])(
    "finds no case for wrong check digits: %s",
    async (query) => {
      for (const vatNumber of [MASKED, "**.222.333/0001-**", "**.ABC.345/01DE-**"]) await givenCase(db, { vatNumber });
      expect(await findSameDocument(me, { query })).toEqual({ kycUUID: null, by: "document" });
    },
  );

  it("finds a case by the document within words, and none for two documents", async () => {
    const hers = await givenStartedCase(HERS);
    const found = { kycUUID: hers, by: "document" };
    for (const query of [`CPF: ${HERS} (Mariana)`, `da Mariana, ${HERS}`])
      expect(await seekCase(me, { query })).toEqual(found);
    expect(await seekCase(me, { query: `${HERS} e 390.533.447-05` })).toEqual({ kycUUID: null, by: "several" });
  });

  it("finds the case by a CPF without its zeros among words, as without words", async () => {
    const kycUUID = await givenStartedCase("00123459893");
    for (const query of ["123459893", "cpf: 123459893.", "cliente 123459893, e outro", "CPF 1.234.598-93"])
      expect([query, await seekCase(me, { query })]).toEqual([
        query,
        { kycUUID, by: "document", restored: "***.234.598-**" },
      ]);
  });

  it("puts no document with wrong check digits among words into the address", async () => {
    await givenCase(db, { tags: ["cliente 41720563854"] });
    expect(await seekCase(me, { query: "cliente 41720563854" })).toEqual({ kycUUID: null, by: "mistyped" });
  });

  it("finds every case of a typed mask, whoever the holder", async () => {
    const hers = await givenStartedCase(HERS);
    const his = await givenStartedCase(HIS);
    const unknown = await givenCase(db, { vatNumber: MASKED, status: "APPROVED", decidedAt: new Date() });
    await givenCase(db, { vatNumber: "***.111.222-**" });
    await givenCase(db, { tenant: "boreal", vatNumber: "***.333.444-**" });
    for (const query of [MASKED, "982.247", "982247", "***982247**", unknown])
      expect(await findSameDocument(me, { query })).toEqual({ kycUUID: unknown, by: "mask" });
    for (const query of ["***.333.444-**", "pep"])
      expect(await findSameDocument(me, { query })).toEqual({ kycUUID: null, by: "mask" });
    const all = await shown({ sameMaskAs: unknown });
    expect(all).toEqual([unknown, his, hers].map((kycUUID) => [kycUUID, false]));
    const { counts, sameDocumentShown } = await readCaseQueue(me, { sameMaskAs: unknown });
    expect([counts.open.cases, counts.APPROVED.cases, sameDocumentShown]).toEqual([2, 1, MASKED]);
    expect(await shown({ sameMaskAs: "no such case" })).toEqual([]);
  });

  it("finds a case started here behind thirty with the same mask", async () => {
    const hers = await givenStartedCase(HERS);
    for (let one = 0; one < 30; one += 1) await givenCase(db, { vatNumber: MASKED });
    const [first] = await casesOf(db, me.tenant, { mask: MASKED, hashes: lookupHashes(HERS) });
    expect(first).toMatchObject({ kycUUID: hers, isSure: true });
  });

  it("does not match two documents with fully hidden digits", async () => {
    const one = await givenCase(db, { vatNumber: "***.***.***-**" });
    await givenCase(db, { vatNumber: "***.***.***-**" });
    expect(await shown({ sameMaskAs: one })).toEqual([]);
  });
});
