import { beforeEach, describe, expect, test } from "vitest";
import { KycList, KycStarted } from "@/lib/contract/kyc";
import { type Harness, startService } from "@/test/support/service/harness";

const DELAY_MS = 4_000;
const holder = { vatNumber: "12345678909", name: "Maria", birthDate: "07-09-1984", motherName: "Josefa" };
const person = { backgroundcheckModel: "BASIC", documentscopyFlag: true, ...holder };
const member = { ownerType: "SOCIO_ADMINISTRADOR", ...holder };
const company = {
  backgroundcheckModel: "BASIC",
  documentscopyFlag: true,
  vatNumber: "11222333000181",
  legalName: "Padaria Estrela Ltda",
  qsa: [member, { ...member, ownerType: "SOCIO", vatNumber: "98765432100" }],
};

let service: Harness;
beforeEach(async () => {
  service = await startService();
});

async function start(path: string, body: unknown): Promise<string> {
  return KycStarted.parse((await service.send("POST", path, { body })).body).data.kycUUID;
}

async function find(kycUUID: string) {
  const [record] = KycList.parse((await service.send("GET", `/v1/kyc/list?kycUUID=${kycUUID}`)).body).result;
  return record;
}

const steer = (kycUUID: string, body: unknown) => service.control("POST", `/sandbox/kyc/${kycUUID}`, body);
const show = (url: string) => service.app.request(new URL(url).pathname, { method: "POST" });

describe("an approval by the control route", () => {
  test("moves a person's background check on to document-scopy, then approves", async () => {
    const kycUUID = await start("/v1/kyc/person", person);
    const { body } = await steer(kycUUID, { status: "APPROVED" });
    expect(body).toMatchObject({ data: { kycUUID, process: "kyc-documentscopy", status: "PENDING" } });
    const record = await find(kycUUID);
    expect(record).toMatchObject({ process: "kyc-documentscopy", status: "PENDING" });
    await service.advance(DELAY_MS);
    expect(await find(kycUUID)).toEqual(record);
    expect((await show(record?.webviewUrl ?? "")).status).toBe(200);
    expect(await find(kycUUID)).toMatchObject({ status: "PROCESSING" });
    await steer(kycUUID, { status: "APPROVED" });
    expect(await find(kycUUID)).toMatchObject({ process: "kyc-documentscopy", status: "APPROVED" });
  });

  test("moves a company's background check on to a web view for each member", async () => {
    const kycUUID = await start("/v1/kyc/company", company);
    await steer(kycUUID, { status: "APPROVED" });
    const record = await find(kycUUID);
    expect(record).toMatchObject({ process: "kyc-documentscopy", status: "PENDING" });
    expect(record?.webviewUrls?.map(({ vatNumber }) => vatNumber)).toEqual(["***.456.789-**", "***.654.321-**"]);
    for (const { url } of record?.webviewUrls ?? []) await show(url);
    await service.advance(DELAY_MS);
    expect(await find(kycUUID)).toMatchObject({ process: "kyc-documentscopy", status: "APPROVED" });
  });

  test("sets the named part of the process as it stands", async () => {
    for (const process of ["kyc-backgroundcheck", "kyc-documentscopy"]) {
      const kycUUID = await start("/v1/kyc/person", person);
      await steer(kycUUID, { status: "APPROVED", process });
      const record = await find(kycUUID);
      expect(record).toMatchObject({ process, status: "APPROVED" });
      expect(record).not.toHaveProperty("webviewUrl");
    }
  });

  test("ends a process without document-scopy", async () => {
    const kycUUID = await start("/v1/kyc/person", { ...person, documentscopyFlag: false });
    await steer(kycUUID, { status: "APPROVED" });
    expect(await find(kycUUID)).toMatchObject({ process: "kyc-backgroundcheck", status: "APPROVED" });
  });

  test("opens new web views after the process was reset", async () => {
    const kycUUID = await start("/v1/kyc/company", company);
    await steer(kycUUID, { status: "APPROVED" });
    const [old] = (await find(kycUUID))?.webviewUrls ?? [];
    await steer(kycUUID, { status: "PROCESSING", process: "kyc-backgroundcheck" });
    await steer(kycUUID, { status: "APPROVED" });
    expect((await find(kycUUID))?.webviewUrls).toHaveLength(2);
    expect((await show(old?.url ?? "")).status).toBe(404);
  });
});
