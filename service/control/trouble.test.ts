import { beforeEach, describe, expect, it } from "vitest";
import { type Harness, startService } from "@/test/support/service/harness";

const LIST = "/v1/kyc/list";

let service: Harness;
beforeEach(async () => {
  service = await startService();
  // A token from before the trouble.
  await service.send("GET", LIST);
});

const begin = (kind: string, seconds: number) => service.control("POST", "/sandbox/trouble", { kind, seconds });
const state = async () => (await service.control("GET", "/sandbox/state?clientId=aurora")).body;
const list = () => service.send("GET", LIST);

describe("a trouble of the whole provider", () => {
  it.each([
    ["rate-limited", 429],
    ["unavailable", 503],
  ])("answers %s as %i until its seconds are over", async (kind, status) => {
    await begin(kind, 20);
    expect((await list()).status).toBe(status);
    await service.advance(19_999);
    expect((await list()).status).toBe(status);
    await service.advance(1);
    expect((await list()).status).toBe(200);
  });

  it("tells a limited client when to come again", async () => {
    await begin("rate-limited", 20);
    expect((await list()).headers.get("retry-after")).toBe("1");
  });

  it("answers nothing while it is silent, and goes on once somebody ends it", async () => {
    await begin("silent", 3_600);
    let isAnswered = false;
    const asked = list().then(({ status }) => {
      isAnswered = true;
      return status;
    });
    expect((await service.control("GET", "/sandbox/state?clientId=aurora")).status).toBe(200);
    expect(isAnswered).toBe(false);
    await begin("silent", 0);
    expect(await asked).toBe(503);
    expect((await list()).status).toBe(200);
  });

  it("leaves control routes alone, and says what lasts and until when", async () => {
    await begin("unavailable", 30);
    await service.control("POST", "/sandbox/outage", { seconds: 10 });
    await service.control("POST", "/sandbox/holds", { clientId: "aurora", transfers: 1 });
    const nowMs = service.app.service.clock.now();
    const until = (seconds: number) => new Date(nowMs + seconds * 1_000).toISOString();
    expect(await state()).toMatchObject({
      data: { trouble: { kind: "unavailable", until: until(30) }, outageUntil: until(10), holds: 1 },
    });
    await begin("unavailable", 0);
    await service.advance(10_000);
    expect(await state()).toMatchObject({ data: { trouble: null, outageUntil: null, holds: 1 } });
  });
});
