import { beforeEach, describe, expect, it } from "vitest";
import { customerAccess } from "@/lib/db/tables/privacy";
import { account } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { parseJson, stringifyJson } from "@/lib/contract/json";
import { lookUp } from "@/lib/accounts/look-up";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { openAccount } from "@/test/support/transfers";
import { explore } from "./explore";
import { ExplorerRequest } from "./inputs";

let db: Db;
let staffId = "";
let asked: string[] = [];
let change: (text: string) => string = (text) => text;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "admin");
  asked = [];
  change = (text) => text;
});

const given = () =>
  givenService(
    ({ method, url }) => asked.push(`${method} ${new URL(url).pathname}`),
    (serve) => async (request) => {
      const response = await serve(request);
      if (!request.url.includes("/bank-accounts/balance")) return response;
      return new Response(change(await response.text()), { status: response.status });
    },
  );

const ask = (read: string, values: Record<string, string> = {}) =>
  explore(actorOf("admin", staffId, "explorer:use"), ExplorerRequest.parse({ read, values }));

describe("the explorer", () => {
  it("shows a masked answer with its time, its verdict and a curl without secrets", async () => {
    const service = await given();
    const { accountId, documentNumber } = await openAccount(service);
    const told = await ask("getPersonInfo", { accountId, documentNumber });
    expect(told).toMatchObject({ status: 200, kind: "ok", verdict: null, durationMs: expect.any(Number) });
    const shown = JSON.stringify(told);
    expect(shown).not.toContain(documentNumber);
    const valueOf = (path: string) => told.body?.fields.find((field) => field.path === path)?.value;
    expect(valueOf("data.person.fullName")).toBe("•••");
    expect(valueOf("data.documentNumber")).toMatch(/^\*{3}\.\d{3}\.\d{3}-\*{2}$/);
    expect(told.curl).toContain("documentNumber=$DOCUMENT");
    expect(told.curl).toContain("$ACCESS_TOKEN");
  });

  it("judges a documented answer by the contract", async () => {
    const service = await given();
    const { accountId, documentNumber } = await openAccount(service);
    expect(await ask("getBalance", { accountId, documentNumber })).toMatchObject({ verdict: [] });
    change = (text) => stringifyJson(Object.assign(Object(parseJson(text)), { data: { accountId, saldo: "1,00" } }));
    const { verdict } = await ask("getBalance", { accountId, documentNumber });
    expect(verdict?.map(({ is, field }) => `${is} ${field}`)).toEqual([
      "MISSING data.balance",
      "MISSING data.blockedBalance",
      "UNKNOWN data.saldo",
    ]);
  });

  it("is on record and in the access log before it asks, and sends GETs alone", async () => {
    const service = await given();
    const { accountId, documentNumber, onBoardingId } = await openAccount(service);
    await lookUp(actorOf("admin", staffId, "accounts:read"), { query: onBoardingId });
    asked = [];
    await ask("getBalance", { accountId, documentNumber });
    const [row] = await db.select().from(account);
    const events = await db.select().from(auditEvent);
    expect(events.find(({ code }) => code === "explorer.use")).toMatchObject({
      actor: staffId,
      object: `account:${row?.ref}`,
      detail: { operation: "GET /v1/bank-accounts/balance" },
    });
    expect(JSON.stringify(events)).not.toContain(documentNumber);
    expect((await db.select().from(customerAccess)).map(({ object }) => object)).toContain(`account:${row?.ref}`);
    expect(asked.filter((line) => !line.includes("/oauth/"))).toEqual(["GET /v1/bank-accounts/balance"]);
  });

  it("shows a refusal with what the provider says, masked", async () => {
    await given();
    const told = await ask("checkOnboarding", { onBoardingId: "nobody-7" });
    expect(told).toMatchObject({ status: 404, kind: "not-found", body: null, verdict: null });
    expect(told.said).not.toBe("");
    expect(await ask("listKyc", { kycUUID: "52998224725" })).toMatchObject({ kind: "ok" });
    expect(JSON.stringify(await db.select().from(auditEvent))).not.toContain("52998224725");
  });
});
