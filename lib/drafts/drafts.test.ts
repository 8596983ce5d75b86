import { randomUUID } from "node:crypto";
import { isNotNull, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { grant } from "@/lib/permission/grant";
import type { Db } from "@/lib/db/connection";
import { draft } from "@/lib/db/tables/drafts";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { dropDraft, DRAFTS_MAX, openDraft, openDrafts, renewDraft, saveDraft } from "./drafts";
import type { DraftFields } from "./view";
import { DraftOrder } from "./inputs";

const FORM = "kyc-start-pf";

let db: Db;
let ana: ReturnType<typeof actorOf<"kyc:start">>;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = actorOf("compliance", await givenStaff(db, "compliance"), "kyc:start");
});

async function save(fields: Record<string, string>, on?: { draftId: string; version: number }) {
  const { draftId, version } = on ?? (await openDraft(ana, FORM));
  return saveDraft(ana, FORM, { do: "save", draftId, version, fields });
}

const documentIn = (fields: DraftFields) => fields["cpf"];
const open = (draftId: string | null = null) => openDrafts(ana, FORM, { draftId, documentIn });

describe("the draft of a long form", () => {
  it("keeps one draft for all of a person's tabs, with the id to be sent", async () => {
    const [first, second] = await Promise.all([openDraft(ana, FORM), openDraft(ana, FORM)]);
    expect(first).toEqual({ draftId: second.draftId, version: 0, fields: null, savedAt: null });
  });

  it("reports a draft that cannot be opened, and continues from an empty form", async () => {
    await save({ name: "Maria Aparecida" });
    await db.execute(sql`update draft set fields_sealed = 'spoilt'`);
    expect(await openDraft(ana, FORM)).toMatchObject({ fields: null, isUnopened: true });
    await save({ name: "Maria" });
    expect(await openDraft(ana, FORM)).not.toHaveProperty("isUnopened");
  });

  it("restores a draft when the form reopens, and keeps it sealed", async () => {
    const saved = await save({ name: "Maria Aparecida", "qsa.0.vatNumber": "529.982.247-25" });
    expect(saved).toMatchObject({ draft: { version: 1, fields: null }, isOther: false });
    expect((await openDraft(ana, FORM)).fields).toEqual({
      name: "Maria Aparecida",
      "qsa.0.vatNumber": "529.982.247-25",
    });
    const stored = JSON.stringify(await db.execute(sql`select * from draft`));
    expect(stored).not.toMatch(/Maria|529\.982\.247-25/);
  });

  it("shows what another tab saved instead of overwriting it", async () => {
    const opened = await openDraft(ana, FORM);
    await save({ name: "Maria" }, opened);
    expect(await save({ name: "Marta" }, opened)).toMatchObject({
      isOther: true,
      draft: { version: 1, fields: { name: "Maria" } },
    });
  });

  it("starts a new draft after one was sent or discarded elsewhere", async () => {
    const opened = await openDraft(ana, FORM);
    await save({ name: "Maria" }, opened);
    await dropDraft(db, ana, opened.draftId);
    await expect(save({ name: "Marta" }, { ...opened, version: 1 })).rejects.toMatchObject({ kind: "not-found" });
    const next = await openDraft(ana, FORM);
    expect(next).toMatchObject({ fields: null });
    expect(next.draftId).not.toBe(opened.draftId);
  });

  it("empties a discarded draft and gives the next submission a new id", async () => {
    const { draft: saved } = await save({ name: "Maria" });
    const { draft: fresh } = await saveDraft(ana, FORM, { do: "discard", draftId: saved.draftId });
    expect(fresh).toMatchObject({ version: 0, fields: null });
    expect(fresh.draftId).not.toBe(saved.draftId);
  });

  it("never stores a password, a token or a code in a draft", () => {
    const fields = {
      email: "a@b.example",
      transactionPassword: "senha-do-titular",
      userAccessToken: "token-dele",
      mfaCode: "000-111",
    };
    const order = DraftOrder.parse({ do: "save", draftId: randomUUID(), version: 0, fields });
    expect(order).toMatchObject({ fields: { email: "a@b.example" } });
    expect(JSON.stringify(order)).not.toMatch(/senha-do-titular|token-dele|000-111/);
  });

  it("shows a draft to one person at one tenant only", async () => {
    const { draft: saved } = await save({ name: "Maria" });
    const rui = actorOf("compliance", await givenStaff(db, "compliance"), "kyc:start");
    const elsewhere = grant({ staffId: ana.id, tenant: "boreal", roles: ["compliance"] }, "kyc:start");
    for (const other of [rui, ...(elsewhere === null ? [] : [elsewhere])]) {
      expect((await openDraft(other, FORM)).fields).toBeNull();
      const order = { do: "save", draftId: saved.draftId, version: 1, fields: {} } as const;
      await expect(saveDraft(other, FORM, order)).rejects.toMatchObject({ kind: "not-found" });
      await saveDraft(other, FORM, { do: "discard", draftId: saved.draftId });
    }
    expect((await openDraft(ana, FORM)).fields).toEqual({ name: "Maria" });
  });

  describe("left unfinished", () => {
    it("hides an unfinished draft until its author continues it", async () => {
      const { draft: saved } = await save({ cpf: "529.982.247-25" });
      const left = { draftId: saved.draftId, subject: "***.982.247-**" };
      expect(await open()).toMatchObject({ isChosen: false, unfinished: [left] });
      expect(await open(saved.draftId)).toMatchObject({
        isChosen: true,
        draft: { fields: { cpf: "529.982.247-25" } },
        unfinished: [],
      });
    });

    it("records the step at which a form was left", async () => {
      await save({ cpf: "529.982.247-25", step: "contact" });
      expect(await open()).toMatchObject({ unfinished: [{ step: "contact" }] });
      await save({ cpf: "529.982.247-25" });
      expect(await open()).toMatchObject({ unfinished: [{ step: null }] });
    });

    it("keeps an unfinished draft beside a new one, each with its own text", async () => {
      const { draft: first } = await save({ cpf: "529.982.247-25" });
      const { draft: second } = await saveDraft(ana, FORM, { do: "begin" });
      expect(second).toMatchObject({ fields: null });
      expect(await open()).toMatchObject({ isChosen: true, unfinished: [{ draftId: first.draftId }] });
      await save({ cpf: "111.444.777-35" }, second);
      await save({ cpf: "529.982.247-25", name: "Ana" }, first);
      expect((await open(first.draftId)).draft.fields).toEqual({ cpf: "529.982.247-25", name: "Ana" });
      expect((await open(second.draftId)).draft.fields).toEqual({ cpf: "111.444.777-35" });
    });

    it("never replaces a discarded draft by an unfinished one", async () => {
      const { draft: first } = await save({ cpf: "529.982.247-25" });
      const { draft: second } = await saveDraft(ana, FORM, { do: "begin" });
      await save({ cpf: "111.444.777-35" }, second);
      const { draft: next } = await saveDraft(ana, FORM, { do: "discard", draftId: first.draftId });
      expect(next.fields).toBeNull();
      expect((await open()).unfinished.map(({ draftId }) => draftId)).toEqual([second.draftId]);
    });
  });
});

const formAt = (nth: number) => `transfer-internal-${nth}`;

async function fill(count: number): Promise<void> {
  for (let nth = 0; nth < count; nth += 1) {
    const { draftId } = await openDraft(ana, formAt(nth));
    await saveDraft(ana, formAt(nth), { do: "save", draftId, version: 0, fields: { amount: "1" } });
  }
}

describe("ten saves at once", () => {
  it("keeps no more drafts than a person may have", async () => {
    await fill(DRAFTS_MAX - 4);
    const forms = Array.from({ length: 10 }, (_, nth) => formAt(1_000 + nth));
    const opened = await Promise.all(forms.map((form) => openDraft(ana, form)));
    const saves = await Promise.allSettled(
      opened.map(({ draftId }, nth) =>
        saveDraft(ana, forms[nth] ?? "", { do: "save", draftId, version: 0, fields: { amount: "1" } }),
      ),
    );
    expect(saves.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
    const full = saves.filter(({ status }) => status === "rejected");
    expect(full).toHaveLength(6);
    for (const one of full) expect(one).toMatchObject({ reason: { details: { code: "drafts-full" } } });
    expect(await db.$count(draft, isNotNull(draft.fieldsSealed))).toBe(DRAFTS_MAX);
  });

  it("updates an existing draft even at the limit", async () => {
    await fill(DRAFTS_MAX);
    const { draftId } = await openDraft(ana, formAt(0));
    const order = { do: "save", draftId, version: 1, fields: { amount: "2" } } as const;
    const saves = await Promise.all(Array.from({ length: 10 }, () => saveDraft(ana, formAt(0), order)));
    expect(saves.filter(({ isOther }) => !isOther)).toHaveLength(1);
  });
});

describe("the draft of one person", () => {
  it("keeps a draft after somebody else's write under its id", async () => {
    const { draft: saved } = await save({ name: "Maria" });
    const rui = { tenant: ana.tenant, id: await givenStaff(db, "compliance") };
    await dropDraft(db, rui, saved.draftId);
    await renewDraft(db, rui, saved.draftId);
    await dropDraft(db, { tenant: ana.tenant, id: "watch:kyc" }, saved.draftId);
    expect(await openDraft(ana, FORM)).toMatchObject({ draftId: saved.draftId, fields: { name: "Maria" } });
  });
});
