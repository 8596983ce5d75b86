import { reviewTransfer } from "./review-transfer";
import { readTransferFormState } from "./form-state";
import { orderTransfer } from "./order-transfer";
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { givenFixture } from "@/test/support/approvals";
import { providerIntent } from "@/lib/db/tables/provider";
import { draft } from "@/lib/db/tables/drafts";
import { account, onboarding } from "@/lib/db/tables/customers";
import { actorOf } from "@/test/support/console";
import { saveTransferDraft } from "./drafts";
import { TransferForm, TransferOrder } from "./inputs";
import { transfer } from "@/lib/db/tables/transfers";

let fixture: Awaited<ReturnType<typeof givenFixture>>;
let from = "";
let to = "";

async function refOf(place: 0 | 1): Promise<string> {
  const reader = actorOf("finance", fixture.makerId, "accounts:read");
  const found = await lookUp(reader, { query: fixture.parties[place].onBoardingId });
  return "accountRef" in found ? found.accountRef : "";
}

beforeEach(async () => {
  fixture = await givenFixture();
  [from, to] = [await refOf(0), await refOf(1)];
});

const between = (changes: object = {}) => ({
  kind: "INTERNAL",
  from,
  to,
  userId: "user-1",
  amount: "934,50",
  description: "",
  ...changes,
});
const ted = (changes: object = {}) => ({
  kind: "EXTERNAL",
  from,
  userId: "user-1",
  amount: "99,90",
  institutionIspb: "60701190",
  institutionCode: "341",
  branchCode: "0123",
  accountCode: "98765-4",
  bankAccountType: "CACC",
  document: "390.533.447-05",
  name: "João Lima",
  ...changes,
});

const order = (form: object, changes: object = {}) =>
  orderTransfer(fixture.maker, TransferOrder.parse({ ...form, intentId: randomUUID(), seen: [], ...changes }));
const review = (form: object) => reviewTransfer(fixture.maker, TransferForm.parse(form));
const wrongIn = (form: object) =>
  TransferForm.safeParse(form).error?.issues.map(({ path, ...issue }) => [
    path.join("."),
    "params" in issue ? issue.params?.["code"] : issue.code,
  ]);

describe("the form of a transfer", () => {
  it.each([
    [{ amount: " " }, "amount", "too_small"],
    [{ amount: "abc" }, "amount", "amount-number"],
    [{ amount: "1e3" }, "amount", "amount-number"],
    [{ amount: "1.000.00" }, "amount", "amount-number"],
    [{ amount: "1,5.00" }, "amount", "amount-number"],
    [{ amount: "R$ 0,00" }, "amount", "amount-positive"],
    [{ amount: "-5" }, "amount", "amount-positive"],
    [{ amount: "1.234" }, "amount", "amount-ambiguous"],
    [{ amount: "12,500" }, "amount", "amount-ambiguous"],
    [{ amount: "1234.567" }, "amount", "amount-cents"],
    [{ amount: "1.234,567" }, "amount", "amount-cents"],
    [{ amount: "1.000.000.000.000.000,00" }, "amount", "amount-large"],
    [{ document: "390.533.447-06" }, "document", "document"],
    [{ name: "😀" }, "name", "holder-name"],
    [{ name: "<b>Ana</b>" }, "name", "holder-name"],
    [{ name: "12345" }, "name", "holder-name"],
    [{ institutionIspb: "itau" }, "institutionIspb", "ispb"],
    [{ branchCode: "01a" }, "branchCode", "branch"],
    [{ accountCode: "conta" }, "accountCode", "account"],
    [{ accountCode: "0-1" }, "accountCode", "account"],
    [{ institutionCode: "001" }, "institutionCode", "bank-mismatch"],
  ])("shows beside the field what is wrong with %o", (changes, field, code) => {
    expect(wrongIn(ted(changes))).toEqual([[field, code]]);
  });

  it.each([
    [{ amount: "1 234,56" }, { amount: "1234.56" }],
    [{ amount: "R$\u00a01,234.56" }, { amount: "1234.56" }],
    [{ branchCode: "1234-p" }, { branchCode: "1234-P" }],
    [{ branchCode: "1234 \u2013 X" }, { branchCode: "1234-X" }],
    [{ accountCode: "12.345-6" }, { accountCode: "12345-6" }],
    [{ accountCode: "12.345\u20116" }, { accountCode: "12345-6" }],
    [{ accountCode: "1234567/P" }, { accountCode: "1234567-P" }],
    [{ accountCode: "１２３４５６\u200b7" }, { accountCode: "1234567" }],
  ])("turns the form %o into the order %o", (changes, taken) => {
    expect(TransferForm.parse(ted(changes))).toMatchObject(taken);
  });

  it("refuses to pay the paying account", () => {
    expect(wrongIn(between({ to: from }))).toEqual([["to", "same-account"]]);
  });

  it("refuses a CPF or CNPJ in the description, which both statements show", () => {
    expect(wrongIn(between({ description: "Aluguel de 390.533.447-05" }))).toEqual([["description", "no-document"]]);
    expect(wrongIn(between({ description: "NF 2026-1, pedido 12345-6" }))).toBeUndefined();
  });

  it("accepts an unlisted institution by its ISPB and code", () => {
    expect(wrongIn(ted({ institutionIspb: "99999999", institutionCode: "999" }))).toBeUndefined();
  });
});

describe("a transfer that is ordered by its form", () => {
  it("sends a transfer once however often it is submitted, and deletes its draft", async () => {
    const { draft: begun } = (await readTransferFormState(fixture.maker, { kind: "INTERNAL", from })) ?? {};
    const intentId = begun?.draftId ?? "";
    const once = TransferOrder.parse({ ...between(), intentId, seen: [] });
    const answers = await Promise.all(Array.from({ length: 10 }, () => orderTransfer(fixture.maker, once)));
    expect(answers).toEqual(answers.map(() => ({ id: intentId, state: "DONE" })));
    expect(await fixture.paid()).toBe(1);
    expect(await fixture.db.$count(draft)).toBe(0);
    const again = await readTransferFormState(fixture.maker, { kind: "INTERNAL", from });
    expect(again?.draft.draftId).not.toBe(intentId);
    expect(again?.user).toEqual({
      userId: "user-1",
      typed: { byName: expect.any(String), at: expect.any(String) },
    });
    await fixture.db.update(account).set({ userId: "usr-7" });
    const told = await readTransferFormState(fixture.maker, { kind: "INTERNAL", from });
    expect(told?.user).toEqual({ userId: "usr-7", typed: null });
  });

  it("shows a transfer as in flight when its form reopens, with the same draft", async () => {
    const asked = { kind: "INTERNAL", from } as const;
    const opened = await readTransferFormState(fixture.maker, asked);
    expect(opened?.isInFlight).toBe(false);
    const intentId = opened?.draft.draftId ?? "";
    fixture.sent.requestsLost = 100;
    await order(between(), { intentId });
    await fixture.db
      .insert(draft)
      .values({ tenant: "aurora", id: intentId, staffId: fixture.makerId, form: `transfer-internal-${from}` });
    await fixture.db.update(providerIntent).set({ state: "SENDING" });
    expect(await readTransferFormState(fixture.maker, asked)).toMatchObject({
      isInFlight: true,
      draft: { draftId: intentId },
    });
    await fixture.db.update(providerIntent).set({ state: "UNKNOWN" });
    const left = await readTransferFormState(fixture.maker, asked);
    expect(left?.isInFlight).toBe(false);
    expect(left?.draft.draftId).not.toBe(intentId);
  });

  it("waits for a second person from the policy's amount on, and deletes its draft", async () => {
    const { draft: begun } = (await readTransferFormState(fixture.maker, { kind: "EXTERNAL", from })) ?? {};
    const big = ted({ amount: "5.000,00" });
    expect(await review(big)).toMatchObject({ approval: { by: "amount" }, window: { opens: "06:30" } });
    await expect(order(big, { intentId: begun?.draftId })).resolves.toMatchObject({ state: "PROPOSED" });
    expect(fixture.sent.sent).toBe(0);
    expect(await fixture.db.$count(draft)).toBe(0);
  });

  it("shows a transfer as blocked or unknown instead of failing", async () => {
    await expect(order(between({ from: to, to: from }))).rejects.toMatchObject({
      details: { status: 422 },
    });
    fixture.sent.requestsLost = 100;
    await expect(order(between())).resolves.toMatchObject({ state: "UNKNOWN" });
  });

  it("keeps a refused transfer's typed text for its form's own address", async () => {
    const { draft: begun } = (await readTransferFormState(fixture.maker, { kind: "INTERNAL", from: to })) ?? {};
    const draftId = begun?.draftId ?? "";
    const saving = { do: "save", draftId, version: 0, fields: { amount: "10" } } as const;
    await saveTransferDraft(fixture.maker, { kind: "INTERNAL", from: to, order: saving });
    const poor = between({ from: to, to: from, amount: "10" });
    await expect(order(poor, { intentId: draftId })).rejects.toMatchObject({ details: { status: 422 } });
    const left = await readTransferFormState(fixture.maker, { kind: "INTERNAL", from: to, draftId });
    expect(left?.draft).toMatchObject({ draftId, fields: { amount: "10" } });
  });

  it("allows a TED only from an account with a known onboarding", async () => {
    await fixture.db.update(onboarding).set({ onBoardingId: null });
    expect(await readTransferFormState(fixture.maker, { kind: "EXTERNAL", from })).toMatchObject({
      lacksOnboarding: true,
    });
    await expect(order(ted())).rejects.toMatchObject({ details: { code: "ted-without-onboarding" } });
  });
});

describe("a transfer like one of the last days", () => {
  it("sends a similar transfer only after the person confirms having seen one", async () => {
    const { id } = await order(ted());
    const { duplicates } = await review(ted());
    expect(duplicates).toMatchObject([{ ref: id, state: "CONFIRMED", isUnconfirmed: false }]);
    await expect(order(ted())).rejects.toMatchObject({ details: { code: "possible-duplicate" } });
    await expect(order(ted(), { seen: [id] })).resolves.toMatchObject({ state: "DONE" });
    const sent = await fixture.db.select().from(transfer).orderBy(transfer.createdAt);
    expect(sent).toMatchObject([{ isRepeat: false }, { isRepeat: true }]);
  });

  it("counts a waiting transfer as a similar one", async () => {
    const { id } = await order(ted({ amount: "5.000,00" }));
    expect(await review(ted({ amount: "5.000,00" }))).toMatchObject({ duplicates: [{ ref: id, state: "WAITING" }] });
    expect(await review(ted({ amount: "5.000,01" }))).toMatchObject({ duplicates: [] });
  });

  it.each([
    ["a TED", () => ted({ amount: "5.000,00" })],
    ["a transfer between accounts", () => between({ amount: "5.000,00" })],
  ])("proposes a transfer once for ten concurrent requests: %s", async (_, form) => {
    const asked = await Promise.allSettled(Array.from({ length: 10 }, () => order(form())));
    const proposed = asked.filter(({ status }) => status === "fulfilled");
    expect(proposed).toMatchObject([{ value: { state: "PROPOSED" } }]);
    const refused = asked.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    for (const reason of refused) expect(reason).toMatchObject({ details: { code: "possible-duplicate" } });
  });

  it("sends no similar transfer while the first is unconfirmed", async () => {
    const { id } = await order(ted());
    await fixture.db.update(providerIntent).set({ state: "UNKNOWN" });
    expect(await review(ted())).toMatchObject({ duplicates: [{ ref: id, isUnconfirmed: true }] });
    await expect(order(ted(), { seen: [id] })).rejects.toMatchObject({ details: { code: "transfer-unsettled" } });
  });
});
