import { describe, expect, test } from "vitest";
import { AURORA, BOREAL, startService } from "@/test/support/service/harness";

const LIST = "/v1/kyc/list?page=1&limit=5";
const person = {
  backgroundcheckModel: "BASIC",
  vatNumber: "12345678909",
  name: "Ana Souza",
  birthDate: "07-05-1990",
  motherName: "Maria Souza",
};

describe("a query that comes again", () => {
  test("answers a repeated query with current data, for whoever asks", async () => {
    const service = await startService();
    const results = async (tenant = AURORA) => (await service.send("GET", LIST, { tenant })).body;
    expect(await results()).toMatchObject({ result: [] });
    await service.send("POST", "/v1/kyc/person", { body: person });
    expect(await results()).toMatchObject({ limit: 5, result: [{ vatNumber: "***.456.789-**" }] });
    expect(await results(BOREAL)).toMatchObject({ result: [] });
  });

  test("refuses a repeated bad query, which each operation reads in its own way", async () => {
    const service = await startService();
    const nowhere = "?page=0&network=EVM";
    for (let time = 0; time < 2; time += 1) {
      expect((await service.send("GET", `/v1/kyc/list${nowhere}`)).status).toBe(400);
      expect((await service.send("GET", `/v1/crypto/wallets${nowhere}`)).status).toBe(200);
      expect((await service.send("GET", "/v1/kyc/list?kycUUID=%00")).status).toBe(400);
    }
  });

  test("takes the first of two values each time", async () => {
    const service = await startService();
    for (let time = 0; time < 2; time += 1) {
      expect((await service.send("GET", "/v1/kyc/list?page=1&limit=5&limit=1&page=0")).body).toMatchObject({
        limit: 5,
      });
      expect((await service.send("GET", "/v1/kyc/list?page=0&page=1")).status).toBe(400);
    }
  });
});
