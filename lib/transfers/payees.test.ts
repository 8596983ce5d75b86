import { reviewTransfer } from "./review-transfer";
import { readTransferFormState } from "./form-state";
import { orderTransfer } from "./order-transfer";
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { givenFixture } from "@/test/support/approvals";
import { auditEvent } from "@/lib/db/tables/audit";
import { grant } from "@/lib/permission/grant";
import { providerIntent } from "@/lib/db/tables/provider";
import { actorOf } from "@/test/support/console";
import { listPayees, removePayee, savePayee } from "./payees";
import { PayeeSaving, TransferForm, TransferOrder } from "./inputs";
import { payee as payees, transfer } from "@/lib/db/tables/transfers";

const CPF = "39053344705";

let fixture: Awaited<ReturnType<typeof givenFixture>>;
let from = "";
let to = "";

beforeEach(async () => {
  fixture = await givenFixture();
  const reader = actorOf("finance", fixture.makerId, "accounts:read");
  const refs = await Promise.all(
    fixture.parties.map(async ({ onBoardingId: query }) => {
      const found = await lookUp(reader, { query });
      return "accountRef" in found ? found.accountRef : "";
    }),
  );
  [from = "", to = ""] = refs;
});

const typed = {
  institutionIspb: "60701190",
  institutionCode: "341",
  branchCode: "0123",
  accountCode: "98765-4",
  bankAccountType: "CACC",
  document: "390.533.447-05",
  name: "João Lima",
};
const ted = { kind: "EXTERNAL", from, userId: "user-1", amount: "99,90", ...typed };
const order = (form: object) =>
  orderTransfer(fixture.maker, TransferOrder.parse({ ...form, from, intentId: randomUUID(), seen: [] }));
const review = (form: object) => reviewTransfer(fixture.maker, TransferForm.parse({ ...form, from }));
const save = () => savePayee(fixture.maker, PayeeSaving.parse({ kind: "EXTERNAL", ...typed }));
const toSaved = (payee: string, amount = "5,00") => ({ kind: "PAYEE", payee, userId: "user-1", amount });

describe("a saved payee", () => {
  it("offers a payee masked, once, after a confirmed transfer", async () => {
    await order(ted);
    await order({ ...ted, amount: "1,00" });
    const list = await listPayees(fixture.maker, "EXTERNAL");
    expect(list.hasMore).toBe(false);
    expect(list.payees).toMatchObject([
      { to: { name: "J••• L•••", document: "***.533.447-**", branch: "0123", account: "98765-4" } },
    ]);
    expect(list.payees[0]?.paidAt).not.toBeNull();
    expect(JSON.stringify(list)).not.toContain("João");
  });

  it("saves no payee of a refused or unconfirmed transfer", async () => {
    fixture.sent.requestsLost = 100;
    await order(ted);
    await expect(order({ ...ted, amount: "300.000,00" })).resolves.toMatchObject({ state: "PROPOSED" });
    expect((await listPayees(fixture.maker, "EXTERNAL")).payees).toEqual([]);
  });

  it("marks a payee as never paid in form and review until paid", async () => {
    const [saved] = (await save()).payees;
    expect(saved?.paidAt).toBeNull();
    const form = await readTransferFormState(fixture.maker, { kind: "EXTERNAL", from });
    expect(form?.payees.payees).toEqual([saved]);
    const reviewed = await review(toSaved(saved?.id ?? ""));
    expect(reviewed).toMatchObject({ kind: "EXTERNAL", isFirstUse: true, to: { as: "recipient", name: "J••• L•••" } });
    await expect(order(toSaved(saved?.id ?? ""))).resolves.toMatchObject({ state: "DONE" });
    expect(await review(toSaved(saved?.id ?? ""))).toMatchObject({ isFirstUse: false });
    expect(await review({ ...ted, branchCode: "123" })).toMatchObject({ isFirstUse: false });
    expect(await fixture.db.select().from(transfer)).toMatchObject([{ kind: "EXTERNAL", amount: "5.00" }]);
  });

  it("recognises a payee by the paid account, whatever name or document is typed", async () => {
    await order(ted);
    expect(await review({ ...ted, name: "J Lima" })).toMatchObject({ isFirstUse: false });
    const other = { ...typed, document: "529.982.247-25", name: "Outro Titular" };
    expect(await review({ ...ted, ...other })).toMatchObject({ isFirstUse: false });
    const { payees: offered } = await savePayee(fixture.maker, PayeeSaving.parse({ kind: "EXTERNAL", ...other }));
    expect(offered.map(({ paidAt }) => paidAt !== null)).toEqual([true, true]);
    expect(await review({ ...ted, accountCode: "98765-5" })).toMatchObject({ isFirstUse: true });
    expect(await review({ ...ted, branchCode: "0124" })).toMatchObject({ isFirstUse: true });
  });

  it("saves a payee at the same provider", async () => {
    const between = { kind: "INTERNAL", to, userId: "user-1", amount: "2,00", description: "" };
    expect(await review(between)).toMatchObject({ isFirstUse: true });
    await order(between);
    expect(await review(between)).toMatchObject({ isFirstUse: false });
    expect((await listPayees(fixture.maker, "INTERNAL")).payees).toMatchObject([{ to: { as: "account", ref: to } }]);
  });

  it("seals an own account as payee, marked never paid until paid", async () => {
    const between = { kind: "INTERNAL", to, userId: "user-1", amount: "2,00", description: "" };
    const savedNow = await savePayee(fixture.maker, PayeeSaving.parse({ kind: "INTERNAL", to }));
    expect(savedNow.payees).toMatchObject([{ to: { as: "account", ref: to }, paidAt: null }]);
    expect(JSON.stringify(await fixture.db.select().from(payees))).not.toContain(fixture.parties[1].accountId);
    expect(await review(between)).toMatchObject({ isFirstUse: true });
    await order(between);
    expect(await review(between)).toMatchObject({ isFirstUse: false });
    const [paid, ...others] = (await listPayees(fixture.maker, "INTERNAL")).payees;
    expect(paid?.paidAt).not.toBeNull();
    expect(others).toEqual([]);
    const gone = savePayee(fixture.maker, { kind: "INTERNAL", to: randomUUID() });
    await expect(gone).rejects.toMatchObject({ kind: "not-found" });
  });

  it("offers and pays no removed payee, which still counts as known", async () => {
    await order(ted);
    const [stored] = (await listPayees(fixture.maker, "EXTERNAL")).payees;
    const payeeId = stored?.id ?? "";
    expect(await removePayee(fixture.maker, { payeeId })).toEqual({ payees: [], hasMore: false });
    await expect(order(toSaved(payeeId))).rejects.toMatchObject({ details: { code: "payee-gone" } });
    await expect(removePayee(fixture.maker, { payeeId })).rejects.toMatchObject({ details: { code: "payee-gone" } });
    expect(await review(ted)).toMatchObject({ isFirstUse: false });
    const rows = await fixture.db.select().from(auditEvent);
    expect(rows.filter(({ code }) => code.startsWith("payee."))).toMatchObject([
      { code: "payee.remove", object: `payee:${payeeId}`, actor: fixture.makerId },
    ]);
  });

  it("hides payees from other tenants", async () => {
    const [saved] = (await save()).payees;
    const elsewhere = grant({ staffId: fixture.makerId, tenant: "boreal", roles: ["finance"] }, "transfers:create");
    if (elsewhere === null) throw new Error("may not pay");
    expect((await listPayees(elsewhere, "EXTERNAL")).payees).toEqual([]);
    await expect(removePayee(elsewhere, { payeeId: saved?.id ?? "" })).rejects.toMatchObject({
      details: { code: "payee-gone" },
    });
  });

  it("stores payees nowhere in clear", async () => {
    await save();
    await order({ ...ted, amount: "3,00" });
    const tables = [payees, transfer, providerIntent, auditEvent];
    const dump = JSON.stringify(await Promise.all(tables.map((table) => fixture.db.select().from(table))));
    expect(dump).not.toContain(CPF);
    expect(dump).not.toContain("João");
    expect(dump).not.toContain("98765");
  });
});
