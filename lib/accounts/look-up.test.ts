import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { findIn } from "@/lib/contract/open-answer";
import { recordAccess } from "@/lib/audit/access-log";
import { completeCnpj, completeCpf, maskDocument } from "@/lib/contract/document";
import { AccountRequested } from "@/lib/contract/onboarding";
import { seal } from "@/lib/db/seal";
import { account, onboarding } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { otherProvider } from "@/test/other-provider";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { companyRequest, personRequest } from "@/test/support/service/accounts";
import type { Harness } from "@/test/support/service/harness";
import { LookUp, lookUp } from "./look-up";

const CPF = completeCpf("417205638");
const CNPJ = completeCnpj("12ABC3450001");

let db: Db;
let service: Harness;
let staffId = "";
let sent: string[] = [];

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "support");
  sent = [];
  service = await givenService((request) => {
    sent.push(request.url);
  });
});

async function open(body: unknown): Promise<string> {
  const answer = await service.send("POST", "/v1/bank-accounts/create", { body });
  const id = AccountRequested.parse(answer.body).data.body.onBoardingId;
  await service.control("POST", `/sandbox/onboardings/${id}`, { status: "CONFIRMED" });
  return id;
}

const find = (query: string) => lookUp(actorOf("support", staffId, "accounts:read"), LookUp.parse({ query }));

describe("looking a customer up", () => {
  it("finds the same account by CPF, with or without points, and by onboarding id", async () => {
    const onBoardingId = await open(personRequest(CPF));
    const byDocument = await find("417.205.638-53");
    expect(byDocument).toHaveProperty("accountRef");
    expect(await find(CPF)).toEqual(byDocument);
    expect(await find(`cliente Mariana 417.205.638/53 e outro`)).toEqual(byDocument);
    expect(await find(onBoardingId)).toEqual(byDocument);
    expect(await db.select().from(account)).toHaveLength(1);
  });

  it("finds a company by a CNPJ with lowercase letters", async () => {
    await open(companyRequest(CNPJ));
    expect(await find(CNPJ.toLowerCase())).toHaveProperty("accountRef");
  });

  it("finds a document whose leading zeros a spreadsheet dropped", async () => {
    const short = completeCpf("004172056");
    await open(personRequest(short));
    const found = await find(String(Number(short)));
    expect(await find(`cpf: ${Number(short)}.`)).toHaveProperty("accountRef");
    expect(found).toMatchObject({ restored: maskDocument(short) });
    expect(found).toHaveProperty("accountRef");
    expect(await find(short)).not.toHaveProperty("restored");
  });

  it("leads to the onboarding when there is no account yet", async () => {
    await service.send("POST", "/v1/bank-accounts/create", { body: personRequest(CPF) });
    expect(await find(CPF)).toHaveProperty("onboardingRef");
  });

  it("audits who searched for a customer, without the document", async () => {
    await open(personRequest(CPF));
    await find(CPF);
    const trail = await db.select().from(auditEvent);
    expect(trail).toMatchObject([{ code: "accounts.look-up", actor: staffId, outcome: "DONE" }]);
    expect(JSON.stringify(trail)).not.toContain(CPF);
  });

  it.each(["417.205.638-54", "11111111111", "12.345.678/0001-00", "abc", "João da Silva", "x/1"])(
    "refuses %s before any call: it can be nobody's",
    (query) => {
      expect(LookUp.safeParse({ query }).success).toBe(false);
      expect(sent).toEqual([]);
    },
  );

  it("finds a stored account by number or provider id without calling the provider", async () => {
    await open(personRequest(CPF));
    const byDocument = await find(CPF);
    const [stored] = await db.select().from(account);
    const { number = "", branch = "", accountId = "" } = stored ?? {};
    sent = [];
    for (const typed of [
      number,
      number.replace("-", ""),
      number.split("-")[0] ?? "",
      `${branch} / ${number}`,
      `${branch} ${number}`,
      `Agência ${branch} · Conta ${number}`,
      `Agência ${branch}, conta ${number}`,
      `ag ${branch} cc ${number}`,
      `Ag. ${branch} C/C ${number}`,
      `conta nº ${number}`,
      accountId,
      accountId.toUpperCase(),
    ])
      expect([typed, await find(typed)]).toEqual([typed, byDocument]);
    expect(sent).toEqual([]);
    await expect(find(`9999 / ${number}`)).rejects.toMatchObject({ kind: "not-found" });
  });

  it("finds a statement entry in recently viewed accounts with one call for each", async () => {
    const reader = actorOf("support", staffId, "accounts:read");
    await open(personRequest(CPF));
    const found = await find(CPF);
    const [stored] = await db.select().from(account);
    const accountId = stored?.accountId ?? "";
    const paid = await service.control("POST", `/sandbox/bank-accounts/${accountId}/credit`, { amount: 120 });
    const entry = findIn(paid.body, "transactionId")?.text ?? "";
    const seek = (query: string) => lookUp(reader, LookUp.parse({ query, isEntryToo: true }));
    await expect(seek(entry)).rejects.toMatchObject({ details: { code: "nothing-known" } });
    await recordAccess(reader, `account:${stored?.ref}`);
    sent = [];
    expect(await seek(entry)).toEqual({ ...found, entry });
    expect(sent.filter((url) => url.includes("getTransactionById"))).toHaveLength(1);
    await expect(find(entry)).rejects.toMatchObject({ details: { code: "customer-unknown" } });
  });

  it("finds an entry despite other field names and a 400 for an unknown id", async () => {
    const manner = { undocumented: { names: "portuguese", wrapping: "nested" } } as const;
    service = await givenService(undefined, (serve) => async (request) => {
      const answer = await otherProvider(serve, manner)(request);
      const isUnknownId = answer.status === 404 && request.url.includes("checkOnboarding");
      return isUnknownId ? Response.json({ message: "onBoardingId: must be a UUID" }, { status: 400 }) : answer;
    });
    await open(personRequest(CPF));
    const found = await find(CPF);
    const [stored] = await db.select().from(account);
    const path = `/sandbox/bank-accounts/${stored?.accountId}/credit`;
    const paid = await service.control("POST", path, { amount: 120 });
    const entry = findIn(paid.body, "transactionId")?.text ?? "";
    const reader = actorOf("support", staffId, "accounts:read");
    await recordAccess(reader, `account:${stored?.ref}`);
    expect(await lookUp(reader, LookUp.parse({ query: entry, isEntryToo: true }))).toEqual({ ...found, entry });
  });

  it("says that several documents were typed, and refuses none that is typed twice", () => {
    const both = "417.205.638-53 e 987.123.456-28";
    expect(LookUp.safeParse({ query: both }).error?.issues[0]).toMatchObject({ params: { code: "documents" } });
    expect(LookUp.parse({ query: "417.205.638-53, 41720563853" })).toMatchObject({ query: "41720563853" });
  });

  it.each(["***.205.638-**", "**.ABC.345/0001-**", "P••• H•••"])("recognises %s as a mask", (query) => {
    expect(LookUp.safeParse({ query }).error?.issues[0]).toMatchObject({ params: { code: "masked" } });
  });

  it("finds an account from the provider's list that nobody opened yet", async () => {
    await open(personRequest(CPF));
    const byDocument = await find(CPF);
    const [stored] = await db.select().from(account);
    const { number = "", accountId = "" } = stored ?? {};
    for (const typed of [accountId, number]) {
      await db.delete(onboarding);
      await db.delete(account);
      expect([typed, await find(typed)]).toEqual([typed, { accountRef: expect.any(String) }]);
    }
    expect(byDocument).toHaveProperty("accountRef");
  });

  it("asks for the branch when several accounts share a number", async () => {
    await open(personRequest(CPF));
    await find(CPF);
    const [stored] = await db.select().from(account);
    if (stored === undefined) throw new Error("the account is kept");
    const twin = { ...stored, ref: randomUUID(), accountId: "another", branch: "0002" };
    const documentSealed = seal(CPF, { column: "account.document_sealed", row: [twin.ref] });
    await db.insert(account).values({ ...twin, documentSealed });
    await expect(find(stored.number)).rejects.toMatchObject({ details: { code: "account-several" } });
    await expect(find(`2 / ${stored.number}`)).resolves.toEqual({ accountRef: twin.ref });
  });

  it("says that nothing was found, with the provider's own message behind it", async () => {
    await expect(find("998877-6")).rejects.toMatchObject({
      kind: "not-found",
      details: { code: "customer-unknown", providerMessage: expect.stringContaining("not found") },
    });
  });
});
