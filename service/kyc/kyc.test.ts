import { beforeEach, expect, test } from "vitest";
import { completeCnpj, completeCpf } from "@/lib/contract/document";
import { KycList, KycStarted } from "@/lib/contract/kyc";
import { BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { kycCharge } from "@/service/store/schema";

const DELAY_MS = 4_000;
const cpf = (base: string) => completeCpf(base.padStart(9, "1"));
const cnpj = (root: string) => completeCnpj(`${root}0001`);

const person = (changes: Record<string, unknown> = {}) => ({
  backgroundcheckModel: "BASIC",
  vatNumber: cpf("234567"),
  name: "Maria Aparecida dos Santos",
  birthDate: "07-09-1984",
  motherName: "Josefa dos Santos",
  ...changes,
});
const member = (ownerType: string) => ({
  ownerType,
  vatNumber: cpf("345678"),
  name: "João Batista",
  birthDate: "01-02-1970",
  motherName: "Ana Batista",
});
const company = (changes: Record<string, unknown> = {}) => ({
  backgroundcheckModel: "COMPLETE",
  vatNumber: cnpj("12345678"),
  legalName: "Padaria Estrela Ltda",
  qsa: [member("SOCIO_ADMINISTRADOR"), member("SOCIO")],
  ...changes,
});

let service: Harness;
beforeEach(async () => {
  service = await startService();
});

async function startPerson(changes: Record<string, unknown> = {}): Promise<string> {
  const { body } = await service.send("POST", "/v1/kyc/person", { body: person(changes) });
  return KycStarted.parse(body).data.kycUUID;
}

async function startCompany(changes: Record<string, unknown> = {}): Promise<string> {
  const { body } = await service.send("POST", "/v1/kyc/company", { body: company(changes) });
  return KycStarted.parse(body).data.kycUUID;
}

async function find(kycUUID: string) {
  const { body } = await service.send("GET", `/v1/kyc/list?kycUUID=${kycUUID}`);
  const [record] = KycList.parse(body).result;
  return record;
}

const decide = (body: Record<string, unknown>, tenant?: typeof BOREAL) =>
  service.send("POST", "/v1/kyc/manual-decision", { body, ...(tenant && { tenant }) });

test("starts a person's process in PROCESSING, in the status envelope", async () => {
  const { status, body } = await service.send("POST", "/v1/kyc/person", { body: person() });
  expect(status).toBe(200);
  expect(body).toEqual({
    status: 200,
    httpCode: 200,
    when: service.clock.now(),
    data: {
      kycUUID: expect.any(String),
      status: "PROCESSING",
      kycType: "PF",
      model: "BASIC",
      documentscopy: false,
      webviewUrl: null,
    },
  });
});

test("answers a company without a webviewUrl", async () => {
  const { body } = await service.send("POST", "/v1/kyc/company", { body: company({ documentscopyFlag: true }) });
  const { data } = KycStarted.parse(body);
  expect(data).toMatchObject({ kycType: "PJ", model: "COMPLETE", documentscopy: true, status: "PROCESSING" });
  expect(data).not.toHaveProperty("webviewUrl");
});

test.each([
  ["1001", "REPROVED"],
  ["1002", "PENDING"],
  ["1003", "PROCESSING"],
  ["1005", "APPROVED"],
])("decides a CPF ending in %s as %s after the provider's delay", async (base, outcome) => {
  const kycUUID = await startPerson({ vatNumber: cpf(base) });
  await service.advance(DELAY_MS - 1);
  expect(await find(kycUUID)).toMatchObject({ status: "PROCESSING" });
  await service.advance(1);
  expect(await find(kycUUID)).toMatchObject({ status: outcome, process: "kyc-backgroundcheck" });
});

test.each([
  ["12345001", "REPROVED"],
  ["12345002", "PENDING"],
  ["12345003", "PROCESSING"],
  ["12ABC345", "APPROVED"],
])("decides a CNPJ with the root %s as %s", async (root, outcome) => {
  const kycUUID = await startCompany({ vatNumber: cnpj(root) });
  await service.advance(DELAY_MS);
  expect(await find(kycUUID)).toMatchObject({ status: outcome });
});

test("runs document-scopy after the background check and waits for the upload", async () => {
  const kycUUID = await startPerson({ documentscopyFlag: true });
  expect(await find(kycUUID)).not.toHaveProperty("webviewUrl");
  await service.advance(DELAY_MS);
  const record = await find(kycUUID);
  expect(record).toMatchObject({ process: "kyc-documentscopy", status: "PENDING" });
  const page = new URL(record?.webviewUrl ?? "").pathname;
  expect(await (await service.app.request(page)).text()).toContain("Enviar documentos");
  expect((await service.app.request(page, { method: "POST" })).status).toBe(200);
  expect(await find(kycUUID)).toMatchObject({ process: "kyc-documentscopy", status: "PROCESSING" });
  await service.advance(DELAY_MS);
  expect(await find(kycUUID)).toMatchObject({ process: "kyc-documentscopy", status: "APPROVED" });
});

test("finishes a company's document-scopy after every member's documents", async () => {
  const kycUUID = await startCompany({ documentscopyFlag: true });
  await service.advance(DELAY_MS);
  const urls = (await find(kycUUID))?.webviewUrls ?? [];
  expect(urls).toHaveLength(2);
  expect(urls[0]?.vatNumber).toMatch(/^\*{3}\.\d{3}\.\d{3}-\*{2}$/);
  const [first, second] = urls.map(({ url }) => new URL(url).pathname);
  await service.app.request(first ?? "", { method: "POST" });
  await service.app.request(first ?? "", { method: "POST" });
  expect(await find(kycUUID)).toMatchObject({ status: "PENDING" });
  await service.app.request(second ?? "", { method: "POST" });
  await service.advance(DELAY_MS);
  expect(await find(kycUUID)).toMatchObject({ status: "APPROVED" });
});

test("decides nothing with a manual provider until the control route does", async () => {
  service = await startService({ environment: { SERVICE_PROVIDER_DELAY_MS: "manual" } });
  const kycUUID = await startPerson();
  await service.advance(DELAY_MS * 100);
  expect(await find(kycUUID)).toMatchObject({ status: "PROCESSING" });
  const webviewUrl = "https://provider.example/view/1";
  const steering = { status: "PENDING", process: "kyc-documentscopy", webviewUrl };
  expect((await service.control("POST", `/sandbox/kyc/${kycUUID}`, steering)).status).toBe(200);
  expect(await find(kycUUID)).toMatchObject(steering);
});

test("leaves the control route's decision unchanged by its own check", async () => {
  const kycUUID = await startPerson();
  await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status: "REPROVED" });
  await service.advance(DELAY_MS);
  expect(await find(kycUUID)).toMatchObject({ status: "REPROVED" });
});

test("lists one tenant's processes, newest first, paged and masked", async () => {
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.push(await startPerson());
  await service.send("POST", "/v1/kyc/person", { body: person(), tenant: BOREAL });
  const { body } = await service.send("GET", "/v1/kyc/list");
  const list = KycList.parse(body);
  expect(list).toMatchObject({ page: 1, limit: 20 });
  expect(list.result.map((record) => record.kycUUID)).toEqual(ids.toReversed());
  expect(list.result[0]?.vatNumber).toBe("***.234.567-**");
  const second = KycList.parse((await service.send("GET", "/v1/kyc/list?page=2&limit=2")).body);
  expect(second).toMatchObject({ page: 2, limit: 2 });
  expect(second.result.map((record) => record.kycUUID)).toEqual([ids[0]]);
});

test.each(["limit=101", "limit=0", "page=0", "page=x"])("refuses a list with %s by name", async (query) => {
  const { status, body } = await service.send("GET", `/v1/kyc/list?${query}`);
  expect(status).toBe(400);
  expect(body).toEqual({ message: expect.stringMatching(new RegExp(`^${query.split("=")[0]}: `)) });
});

test("lists nothing for an unknown id, whatever its format", async () => {
  for (const id of ["not-an-id", "7b1c4d1e-6a55-4a40-9d0f-0d9d3b0f9a11"]) {
    const { status, body } = await service.send("GET", `/v1/kyc/list?kycUUID=${id}`);
    expect([status, KycList.parse(body).result]).toEqual([200, []]);
  }
});

test("lets a person decide from any state, and no later check overrules it", async () => {
  const kycUUID = await startPerson();
  const { status, body } = await decide({ kycUUID, decision: "REPROVED", reason: "Documento ilegível" });
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 200, httpCode: 200, data: { kycUUID, decision: "REPROVED" } });
  await service.advance(DELAY_MS);
  expect(await find(kycUUID)).toMatchObject({ status: "REPROVED" });
  await decide({ kycUUID, decision: "APPROVED", reason: "Reapresentou o documento" });
  expect(await find(kycUUID)).toMatchObject({ status: "APPROVED" });
});

test("lets a decision win over concurrent checks, without failures", async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, () => startPerson()));
  const decisions = ids.map((kycUUID) => decide({ kycUUID, decision: "REPROVED", reason: "Suspeita de fraude" }));
  await Promise.all([service.advance(DELAY_MS), ...decisions]);
  expect((await Promise.all(decisions)).map(({ status }) => status)).toEqual(ids.map(() => 200));
  await service.advance(DELAY_MS);
  for (const kycUUID of ids) expect(await find(kycUUID)).toMatchObject({ status: "REPROVED" });
});

test("answers a decision with 403 for another tenant and 404 for an unknown id", async () => {
  const kycUUID = await startPerson();
  const decision = { kycUUID, decision: "APPROVED", reason: "ok" };
  expect(await decide(decision, BOREAL)).toMatchObject({ status: 403, body: { message: expect.any(String) } });
  expect(await find(kycUUID)).toMatchObject({ status: "PROCESSING" });
  for (const unknown of ["nope", "7b1c4d1e-6a55-4a40-9d0f-0d9d3b0f9a11"]) {
    expect(await decide({ ...decision, kycUUID: unknown })).toMatchObject({ status: 404 });
  }
});

test("accepts a reason of 500 characters and refuses one of 501", async () => {
  const kycUUID = await startPerson();
  const decision = { kycUUID, decision: "APPROVED" };
  expect(await decide({ ...decision, reason: "é".repeat(500) })).toMatchObject({ status: 200 });
  const refused = await decide({ ...decision, reason: "é".repeat(501) });
  expect(refused).toMatchObject({ status: 400, body: { message: "reason: must have at most 500 characters" } });
});

test.each([
  ["/v1/kyc/person", person({ backgroundcheckModel: "GOLD" }), /^backgroundcheckModel: .*BASIC, MEDIUM, COMPLETE/],
  ["/v1/kyc/person", person({ vatNumber: undefined }), /^vatNumber: is required/],
  ["/v1/kyc/person", person({ vatNumber: "12345678900" }), /^vatNumber: .*check digits/],
  ["/v1/kyc/person", person({ birthDate: "31-02-1990" }), /^birthDate: .*DD-MM-YYYY/],
  ["/v1/kyc/person", person({ documentscopyFlag: "yes" }), /^documentscopyFlag: must be a boolean/],
  ["/v1/kyc/company", company({ qsa: [member("SOCIO")] }), /^qsa: .*SOCIO_ADMINISTRADOR/],
  ["/v1/kyc/company", company({ qsa: [] }), /^qsa: /],
  ["/v1/kyc/company", company({ qsa: Array(4).fill(member("SOCIO_ADMINISTRADOR")) }), /^qsa: /],
  ["/v1/kyc/company", company({ qsa: [{ ...member("SOCIO_ADMINISTRADOR"), vatNumber: "1" }] }), /^qsa\.0\.vatNumber: /],
])("%s refuses invalid input and names the field (%#)", async (path, body, message) => {
  const reply = await service.send("POST", path, { body });
  expect(reply).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
});

test("charges each initiation once by type and model, a refused one never", async () => {
  const kycUUID = await startPerson({ backgroundcheckModel: "MEDIUM" });
  const companyId = await startCompany();
  await service.send("POST", "/v1/kyc/person", { body: person({ vatNumber: "1" }) });
  const charges = await service.app.service.db.select().from(kycCharge);
  expect(charges.map(({ kycUuid, kycType, model, clientId }) => [kycUuid, kycType, model, clientId])).toEqual(
    expect.arrayContaining([
      [kycUUID, "PF", "MEDIUM", "aurora"],
      [companyId, "PJ", "COMPLETE", "aurora"],
    ]),
  );
  expect(charges).toHaveLength(2);
});
