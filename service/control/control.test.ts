import { beforeEach, describe, expect, test } from "vitest";
import { AURORA, CONTROL_TOKEN, type Harness, readReply, startService } from "@/test/support/service/harness";

const LIST = "/v1/kyc/list";

let service: Harness;
beforeEach(async () => {
  service = await startService();
});

const list = async () => (await service.send("GET", LIST)).status;
const bill = (status: string) => service.control("PUT", "/sandbox/tenants/aurora/billing", { status });
const fault = (changes: Record<string, unknown>) =>
  service.control("POST", "/sandbox/faults", { method: "GET", path: LIST, times: 1, ...changes });

test("has no control route without a control token", async () => {
  service = await startService({ environment: { SERVICE_CONTROL_TOKEN: "" } });
  for (const [method, path] of [
    ["POST", "/sandbox/clock"],
    ["GET", "/sandbox/deliveries"],
    ["DELETE", "/sandbox/faults"],
    ["GET", "/sandbox/clock"],
  ] as const) {
    expect((await service.control(method, path)).status).toBe(404);
  }
});

test.each([undefined, "Bearer wrong", `Basic ${CONTROL_TOKEN}`])(
  "gives the authorization %s no control",
  async (header) => {
    const headers = { ...(header && { Authorization: header }) };
    const response = await service.app.request("/sandbox/faults", { method: "DELETE", headers });
    expect(await readReply(response)).toMatchObject({ status: 401, body: { message: expect.any(String) } });
  },
);

test("answers another method of a control route with 405", async () => {
  const reply = await service.control("GET", "/sandbox/clock");
  expect([reply.status, reply.headers.get("allow")]).toEqual([405, "POST"]);
});

describe("the clock", () => {
  test("moves the clock forward, ends tokens, and runs due work before answering", async () => {
    await service.send("POST", "/v1/kyc/person", {
      body: {
        backgroundcheckModel: "BASIC",
        vatNumber: "12345678909",
        name: "Maria",
        birthDate: "07-09-1984",
        motherName: "Josefa",
      },
    });
    const before = service.app.service.clock.now();
    const reply = await service.control("POST", "/sandbox/clock", { advanceSeconds: 3_600 });
    expect(reply).toMatchObject({ status: 200, body: { data: { now: new Date(before + 3_600_000).toISOString() } } });
    const { body } = await service.send("GET", LIST);
    expect(body).toMatchObject({ result: [{ status: "APPROVED" }] });
  });

  test("keeps the clock moved after a restart", async () => {
    await service.control("POST", "/sandbox/clock", { advanceSeconds: 90 });
    await service.control("POST", "/sandbox/clock", { advanceSeconds: 10 });
    const next = await service.restart();
    expect(next.app.service.clock.now()).toBe(service.clock.now() + 100_000);
  });

  test.each([0, -1, "60", 1e12])("refuses to move the clock by %s seconds", async (advanceSeconds) => {
    const reply = await service.control("POST", "/sandbox/clock", { advanceSeconds });
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^advanceSeconds: /) } });
    expect(service.app.service.clock.now()).toBe(service.clock.now());
  });

  test("says how far the clock may move", async () => {
    const { body } = await service.control("POST", "/sandbox/clock", { advanceSeconds: 0 });
    expect(body).toMatchObject({ message: "advanceSeconds: must be more than 0" });
  });
});

describe("billing", () => {
  test("changes billing with the next request, and keeps it over a restart", async () => {
    expect((await bill("SUSPENDED")).status).toBe(200);
    expect(await list()).toBe(402);
    const next = await service.restart();
    expect((await next.send("GET", LIST)).status).toBe(402);
    await bill("ACTIVE");
    expect(await list()).toBe(200);
  });

  test("follows the tenants file again after a change of its billing", async () => {
    await bill("SUSPENDED");
    const next = await service.restart({ tenants: [{ ...AURORA, billingStatus: "RESTRICTED" }] });
    expect((await next.send("GET", LIST)).status).toBe(200);
    expect((await next.send("POST", "/v1/kyc/person", { body: {} })).status).toBe(402);
    const back = await next.restart({ tenants: [AURORA] });
    expect((await back.send("GET", "/v1/kyc/list")).status).toBe(200);
  });

  test("answers 404 for an unknown client, and 400 for an unknown status", async () => {
    expect((await service.control("PUT", "/sandbox/tenants/nobody/billing", { status: "ACTIVE" })).status).toBe(404);
    expect((await bill("BROKE")).status).toBe(400);
  });
});

describe("a fault", () => {
  test("answers the next requests of a fault's route, and then no more", async () => {
    await fault({ status: 503, headers: { "Retry-After": "7" }, body: { message: "down" }, times: 2 });
    for (let count = 0; count < 2; count += 1) {
      const reply = await service.send("GET", LIST);
      expect(reply).toMatchObject({ status: 503, body: { message: "down" } });
      expect(reply.headers.get("retry-after")).toBe("7");
    }
    expect(await list()).toBe(200);
  });

  test("matches a fault by method and path, parameters included", async () => {
    await fault({ method: "GET", path: "/v1/otc/trades/{id}", status: 500 });
    await fault({ method: "POST", status: 500 });
    expect(await list()).toBe(200);
    expect((await service.send("GET", "/v1/otc/trades/7")).status).toBe(500);
  });

  test("sends a fault's text as given, and no body where none may be", async () => {
    await fault({ status: 502, headers: { "Content-Type": "text/html" }, body: "<html>" });
    await fault({ status: 204 });
    const headers = { Authorization: "Bearer x", "x-client-id": "aurora" };
    const first = await service.app.request(LIST, { headers });
    expect([first.headers.get("content-type"), await first.text()]).toEqual(["text/html", "<html>"]);
    const second = await service.app.request(LIST, { headers });
    expect([second.status, await second.text()]).toEqual([204, ""]);
  });

  test.each(["Content-Type", "content-type", "CONTENT-TYPE"])("replaces our %s by the fault's own", async (name) => {
    await fault({ status: 502, headers: { [name]: "text/html" }, body: "<html>" });
    const { headers } = await service.app.request(LIST);
    expect(headers.get("content-type")).toBe("text/html");
  });

  test("answers 200 for a fault with a body or headers but no status", async () => {
    await fault({ body: { z: 1 }, headers: { "X-A": "1" } });
    const reply = await service.send("GET", LIST);
    expect([reply.status, reply.body, reply.headers.get("x-a")]).toEqual([200, { z: 1 }, "1"]);
  });

  test("says that a fault was planned when it has no body", async () => {
    await fault({ status: 503 });
    expect(await service.send("GET", LIST)).toMatchObject({ status: 503, body: { message: "Planned fault" } });
    await fault({ status: 200 });
    expect((await service.send("GET", LIST)).body).toEqual({});
  });

  test("delays a request and then lets it through", async () => {
    await fault({ delayMs: 30 });
    const startedAtMs = performance.now();
    expect(await list()).toBe(200);
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(29);
  });

  test("cuts the connection for a fault", async () => {
    await fault({ drop: true });
    await expect(service.send("GET", LIST)).rejects.toThrow("cut");
    expect(await list()).toBe(200);
  });

  test("plans faults for the token endpoints too", async () => {
    await fault({ method: "POST", path: "/v1/authentication/oauth/access-token", status: 429 });
    const response = await service.app.request("/v1/authentication/oauth/access-token", { method: "POST" });
    expect(response.status).toBe(429);
  });

  test("drops faults when they are cleared", async () => {
    await fault({ status: 500, times: 9 });
    expect((await service.control("DELETE", "/sandbox/faults")).status).toBe(200);
    expect(await list()).toBe(200);
  });

  test.each([{ times: 0 }, { path: "/sandbox/clock" }, { status: 99 }, { headers: { "a\nb": "c" } }, { delay: 1 }])(
    "refuses a fault like %o",
    async (wrong) => {
      expect((await fault({ status: 500, ...wrong })).status).toBe(400);
    },
  );
});
