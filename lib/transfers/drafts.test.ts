import { readTransferFormState } from "./form-state";
import { orderTransfer } from "./order-transfer";
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { account } from "@/lib/db/tables/customers";
import { draft } from "@/lib/db/tables/drafts";
import { transfer } from "@/lib/db/tables/transfers";
import type { TransferKind } from "@/lib/db/enums/transfers";
import { grant } from "@/lib/permission/grant";
import { givenFixture } from "@/test/support/approvals";
import { actorOf } from "@/test/support/console";
import { listTransferDrafts, saveTransferDraft } from "./drafts";
import { PayeeSaving, TransferOrder } from "./inputs";
import { savePayee } from "./payees";

let fixture: Awaited<ReturnType<typeof givenFixture>>;
let from = "";
let to = "";
let first = "";
let second = "";

beforeEach(async () => {
  fixture = await givenFixture();
  const reader = actorOf("finance", fixture.makerId, "accounts:read");
  for (const { onBoardingId: query } of fixture.parties) await lookUp(reader, { query });
  const rows = await fixture.db.select().from(account);
  const found = fixture.parties.map(({ accountId }) => rows.find((row) => row.accountId === accountId));
  [from = "", to = ""] = found.map((row) => row?.ref ?? "");
  [first = "", second = ""] = found.map((row) => `${row?.branch} / ${row?.number}`);
});

const CPF = "390.533.447-05";
const ted = {
  institutionIspb: "60701190",
  institutionCode: "341",
  branchCode: "0123",
  accountCode: "98765-4",
  bankAccountType: "CACC",
  document: CPF,
  name: "João Lima",
};

async function leave(kind: TransferKind, ref: string, fields: Record<string, string>): Promise<string> {
  const begun = await saveTransferDraft(fixture.maker, { kind, from: ref, order: { do: "begin" } });
  const { draftId, version } = begun.draft;
  await saveTransferDraft(fixture.maker, { kind, from: ref, order: { do: "save", draftId, version, fields } });
  return draftId;
}
const subjects = async () =>
  (await listTransferDrafts(fixture.maker)).map(({ subject, amount = "" }) => `${subject} ${amount}`.trimEnd());

describe("transfers that a person left unfinished", () => {
  it("lists unfinished transfers newest first, of any account and kind", async () => {
    await leave("INTERNAL", from, { to: CPF, amount: "12,5" });
    await leave("INTERNAL", from, { to: second });
    await leave("EXTERNAL", to, { ...ted, amount: "1.000" });
    await leave("EXTERNAL", to, { document: CPF });
    await leave("EXTERNAL", to, { branchCode: "0123", accountCode: "98765-4" });
    await leave("EXTERNAL", from, { userId: "user-1" });
    const [saved] = (await savePayee(fixture.maker, PayeeSaving.parse({ kind: "EXTERNAL", ...ted }))).payees;
    await leave("EXTERNAL", from, { payee: saved?.id ?? "", amount: "7" });
    expect(await subjects()).toEqual([
      `${first} → J••• L••• 7.00`,
      first,
      `${second} → 0123 / 98765-4`,
      `${second} → ***.533.447-**`,
      `${second} → J••• L••• 1.000`,
      `${first} → ${second}`,
      `${first} → ***.533.447-** 12.50`,
    ]);
    const [newest] = await listTransferDrafts(fixture.maker);
    expect(newest).toMatchObject({ kind: "EXTERNAL", from, at: { from, type: "EXTERNAL" } });
  });

  it("never shows a mistyped document in full", async () => {
    await leave("INTERNAL", from, { to: "39053344706" });
    await leave("INTERNAL", from, { to: "390.533.447-06" });
    expect((await subjects()).join()).not.toContain("390");
  });

  it("offers unfinished transfers in their account's form, except its own", async () => {
    const left = await leave("EXTERNAL", from, { amount: "3" });
    await leave("EXTERNAL", to, { amount: "4" });
    const opened = async (draftId: string | null) =>
      readTransferFormState(fixture.maker, { kind: "INTERNAL", from, draftId });
    expect((await opened(null))?.unfinished.map(({ draftId }) => draftId)).toEqual([left]);
    const its = await readTransferFormState(fixture.maker, { kind: "EXTERNAL", from, draftId: left });
    expect(its?.unfinished).toEqual([]);
  });

  it("keeps unfinished transfers only for the company's own accounts", async () => {
    const order = { do: "begin" } as const;
    const nobodys = { kind: "INTERNAL", from: randomUUID(), order } as const;
    await expect(saveTransferDraft(fixture.maker, nobodys)).rejects.toMatchObject({ kind: "not-found" });
    const other = grant({ staffId: fixture.makerId, tenant: "boreal", roles: ["finance"] }, "transfers:create");
    if (other === null) throw new Error("finance may order transfers");
    await expect(saveTransferDraft(other, { ...nobodys, from })).rejects.toMatchObject({ kind: "not-found" });
    expect(await fixture.db.$count(draft)).toBe(0);
  });

  it("forgets one that the provider refused, until somebody corrects it", async () => {
    const fields = { ...ted, userId: "user-1", amount: "20,00" };
    const draftId = await leave("EXTERNAL", from, fields);
    const order = { kind: "EXTERNAL", from, ...fields, intentId: draftId, seen: [] };
    fixture.sent.refusal = { kind: "invalid", details: { status: 422, mayHaveExecuted: false } };
    await expect(orderTransfer(fixture.maker, TransferOrder.parse(order))).rejects.toMatchObject({ kind: "invalid" });
    expect(await subjects()).toEqual([]);
    const opened = (wanted: string | null) =>
      readTransferFormState(fixture.maker, { kind: "EXTERNAL", from, draftId: wanted });
    expect(await opened(draftId)).toMatchObject({ draft: { draftId, fields: { amount: "20,00" } }, isChosen: true });
    expect(await opened(null)).toMatchObject({ draft: { fields: null }, unfinished: [], isChosen: true });
    const { version = 0 } = (await opened(draftId))?.draft ?? {};
    const corrected = { do: "save", draftId, version, fields: { ...fields, amount: "19,00" } } as const;
    await saveTransferDraft(fixture.maker, { kind: "EXTERNAL", from, order: corrected });
    expect(await subjects()).toHaveLength(1);
  });

  it("names what was just ordered in the form that comes after", async () => {
    const fields = { ...ted, userId: "user-1", amount: "20,00" };
    const opened = () => readTransferFormState(fixture.maker, { kind: "EXTERNAL", from });
    expect((await opened())?.orderedId).toBeNull();
    const draftId = await leave("EXTERNAL", from, fields);
    await orderTransfer(
      fixture.maker,
      TransferOrder.parse({ kind: "EXTERNAL", from, ...fields, intentId: draftId, seen: [] }),
    );
    expect(await opened()).toMatchObject({ draft: { fields: null }, orderedId: draftId });
    expect(await opened()).toMatchObject({ orderedId: draftId });
    await fixture.db.update(transfer).set({ createdAt: new Date(Date.now() - 3_600_000) });
    expect((await opened())?.orderedId).toBeNull();
  });

  it("keeps one that never reached the provider", async () => {
    const fields = { ...ted, userId: "user-1", amount: "20,00" };
    const draftId = await leave("EXTERNAL", from, fields);
    fixture.sent.refusal = { kind: "unavailable", details: { code: "no-connection", mayHaveExecuted: false } };
    const order = TransferOrder.parse({ kind: "EXTERNAL", from, ...fields, intentId: draftId, seen: [] });
    await expect(orderTransfer(fixture.maker, order)).rejects.toMatchObject({ kind: "unavailable" });
    expect(await subjects()).toHaveLength(1);
  });

  it("lists no proposed transfer as unfinished, and shows them to nobody else", async () => {
    const draftId = await leave("EXTERNAL", from, { ...ted, amount: "5.000,00" });
    const other = grant({ staffId: fixture.makerId, tenant: "boreal", roles: ["finance"] }, "transfers:create");
    expect(other && (await listTransferDrafts(other))).toEqual([]);
    expect(await subjects()).toHaveLength(1);
    const order = { kind: "EXTERNAL", from, userId: "user-1", amount: "5.000,00", ...ted, intentId: draftId, seen: [] };
    await expect(orderTransfer(fixture.maker, TransferOrder.parse(order))).resolves.toMatchObject({
      state: "PROPOSED",
    });
    expect(await subjects()).toEqual([]);
  });
});
