import { beforeEach, describe, expect, test } from "vitest";
import { KycList, KycStarted } from "@/lib/contract/kyc";
import { BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { altered, company, cpfEnding, person } from "@/test/support/service/conformance";

const PERSON = "/v1/kyc/person";
const COMPANY = "/v1/kyc/company";
const DELAY_MS = 4_000;

let service: Harness;
beforeEach(async () => {
  service = await startService();
});

const post = (path: string, body: unknown) => service.send("POST", path, { body });
const start = async (path: string, body: unknown) => KycStarted.parse((await post(path, body)).body).data.kycUUID;
const list = async (query = "", tenant = {}) =>
  KycList.parse((await service.send("GET", `/v1/kyc/list${query}`, tenant)).body);
const find = async (kycUUID: string) => (await list(`?kycUUID=${kycUUID}`)).result[0];

test.each(["BASIC", "MEDIUM", "COMPLETE"])(
  "answers the model %s as requested, for a person and a company",
  async (model) => {
    for (const [path, body] of [[PERSON, person] as const, [COMPANY, company] as const])
      expect((await post(path, { ...body, backgroundcheckModel: model })).body).toMatchObject({ data: { model } });
  },
);

test("returns document-scopy as requested, and false by default", async () => {
  for (const [path, body] of [[PERSON, person] as const, [COMPANY, company] as const]) {
    expect((await post(path, body)).body).toMatchObject({ data: { documentscopy: false } });
    const asked = await post(path, { ...body, documentscopyFlag: true });
    expect(asked.body).toMatchObject({ data: { documentscopy: true, status: "PROCESSING" } });
  }
});

test("has a null web view for a person at first, even with document-scopy", async () => {
  const { body } = await post(PERSON, { ...person, documentscopyFlag: true });
  expect(body).toMatchObject({ data: { webviewUrl: null } });
});

test("allows repeated checks of one person, each under its own id", async () => {
  const ids = [await start(PERSON, person), await start(PERSON, person)];
  expect(new Set(ids).size).toBe(2);
  expect((await list()).result).toHaveLength(2);
});

describe("the list", () => {
  test("shows exactly these fields of a process, with the document masked", async () => {
    const one = await start(PERSON, person);
    const other = await start(COMPANY, company);
    const masked = [
      { kycUUID: other, vatNumber: "**.345.678/0001-**", kycType: "PJ" },
      { kycUUID: one, vatNumber: "***.456.789-**", kycType: "PF" },
    ];
    const common = { process: "kyc-backgroundcheck", status: "PROCESSING" };
    const { body } = await service.send("GET", "/v1/kyc/list");
    expect(body).toEqual({ page: 1, limit: 20, result: masked.map((record) => ({ ...common, ...record })) });
    expect(JSON.stringify(body)).not.toContain(person.vatNumber);
  });

  test("returns 20 records a page by default, 100 at most, none past the end", async () => {
    for (let count = 0; count < 21; count += 1) await start(PERSON, person);
    expect((await list()).result).toHaveLength(20);
    expect((await list("?page=2")).result).toHaveLength(1);
    expect(await list("?limit=100")).toMatchObject({ limit: 100, result: { length: 21 } });
    expect(await list("?page=9")).toEqual({ page: 9, limit: 20, result: [] });
    for (const query of ["limit=101", "limit=0", "limit=-1", "limit=1.5", "page=0", "page=a"])
      expect((await service.send("GET", `/v1/kyc/list?${query}`)).status).toBe(400);
  });

  test("finds one process by its id, and never another tenant's", async () => {
    const kycUUID = await start(PERSON, person);
    await start(PERSON, person);
    expect((await list(`?kycUUID=${kycUUID}`)).result.map((record) => record.kycUUID)).toEqual([kycUUID]);
    expect((await list(`?kycUUID=${kycUUID}`, { tenant: BOREAL })).result).toEqual([]);
    expect((await list("", { tenant: BOREAL })).result).toEqual([]);
  });
});

const decide = (body: unknown) => service.send("POST", "/v1/kyc/manual-decision", { body });

describe("the manual decision", () => {
  test.each(["APPROVED", "REPROVED", "PENDING", "PROCESSING"])(
    "moves a process from %s to its result",
    async (from) => {
      const kycUUID = await start(PERSON, person);
      for (const decision of ["APPROVED", "REPROVED"]) {
        await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status: from });
        const { body } = await decide({ kycUUID, decision, reason: "Conferido por uma pessoa" });
        expect(body).toEqual({ status: 200, httpCode: 200, when: service.clock.now(), data: { kycUUID, decision } });
        expect(await find(kycUUID)).toMatchObject({ status: decision });
      }
    },
  );

  test.each(["kycUUID", "decision", "reason"])("names a decision's missing %s", async (field) => {
    const body = { kycUUID: await start(PERSON, person), decision: "APPROVED", reason: "ok" };
    const reply = await decide(altered(body, field));
    expect(reply).toMatchObject({ status: 400, body: { message: `${field}: is required` } });
  });

  test.each([
    ["decision", "PENDING"],
    ["decision", "approved"],
    ["reason", ""],
    ["reason", "   "],
    ["reason", "x".repeat(501)],
    ["reason", 7],
    ["kycUUID", 7],
  ])("answers 400 to the %s %j, and changes nothing", async (field, value) => {
    const kycUUID = await start(PERSON, person);
    const reply = await decide({ kycUUID, decision: "APPROVED", reason: "ok", [field]: value });
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringMatching(new RegExp(`^${field}: `)) } });
    expect(await find(kycUUID)).toMatchObject({ status: "PROCESSING" });
  });

  test("counts a reason in visible characters", async () => {
    const kycUUID = await start(PERSON, person);
    const decision = { kycUUID, decision: "APPROVED" };
    expect((await decide({ ...decision, reason: "😀".repeat(500) })).status).toBe(200);
    expect((await decide({ ...decision, reason: "😀".repeat(501) })).status).toBe(400);
  });
});

test("never pushes a KYC event", async () => {
  const ids = await Promise.all([
    ...["001", "002", "789"].map((ending) => start(PERSON, { ...person, vatNumber: cpfEnding(ending) })),
    start(COMPANY, { ...company, documentscopyFlag: true }),
  ]);
  await service.advance(DELAY_MS);
  for (const kycUUID of ids)
    await service.send("POST", "/v1/kyc/manual-decision", { body: { kycUUID, decision: "APPROVED", reason: "ok" } });
  expect((await service.control("GET", "/sandbox/deliveries")).body).toEqual({ data: [] });
});

const steer = (id: string, body: unknown) => service.control("POST", `/sandbox/kyc/${id}`, body);

test("sets a process's status by the control route, with 400 or 404 on a bad request", async () => {
  const kycUUID = await start(PERSON, person);
  for (const status of ["PENDING", "APPROVED", "REPROVED", "PROCESSING"]) {
    expect((await steer(kycUUID, { status, process: "kyc-documentscopy" })).status).toBe(200);
    expect(await find(kycUUID)).toMatchObject({ status, process: "kyc-documentscopy" });
  }
  expect((await steer(kycUUID, { status: "DONE" })).status).toBe(400);
  expect((await steer(kycUUID, {})).status).toBe(400);
  expect((await steer("00000000-0000-4000-8000-000000000000", { status: "APPROVED" })).status).toBe(404);
});
