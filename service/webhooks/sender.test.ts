import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Tenant } from "@/service/tenants/load-tenants";
import { AURORA, BOREAL, type Harness, startService } from "@/test/support/service/harness";
import type { Answer } from "./post";
import { verify } from "./sender";
import { answered, deliveries, raise } from "@/test/support/service/webhooks";

let service: Harness;
beforeEach(async () => {
  service = await startService();
});

describe("a request", () => {
  test("sends the raw event, its name, its id and the body's signature", async () => {
    await raise(service);
    await service.deliver();
    const [delivery] = await deliveries(service);
    const [request] = service.receiver.requests;
    const { url, secret } = AURORA.webhook ?? { url: "", secret: "" };
    const body = `{"onBoardingId":"o-1","when":${service.clock.now()},"clientId":"aurora"}`;
    expect(request).toEqual({
      url,
      body,
      headers: {
        "Content-Type": "application/json",
        "Content-Length": String(body.length),
        "User-Agent": expect.stringMatching(/^Retaguarda/),
        "X-Webhook-Event": "onboarding-create",
        "X-Webhook-Event-Id": delivery?.id,
        "X-Webhook-Signature": expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    expect(verify(secret, body, request?.headers["X-Webhook-Signature"] ?? "")).toBe(true);
  });

  test("counts a request's length in bytes, in any language", async () => {
    await raise(service, AURORA, { message: "não aprovada ✓" });
    await service.deliver();
    const [request] = service.receiver.requests;
    expect(request?.headers["Content-Length"]).toBe(String(Buffer.byteLength(request?.body ?? "")));
  });
});

describe("the schedule", () => {
  test.each([200, 201, 204, 299])("counts an answer %i as delivered, and never resends the event", async (status) => {
    service.receiver.react = () => answered(status);
    await raise(service);
    await service.deliver();
    await service.advance(60_000);
    await service.deliver();
    expect(service.receiver.requests).toHaveLength(1);
    expect(await deliveries(service)).toMatchObject([
      { status: "DELIVERED", attempts: [{ httpStatus: status, error: null }] },
    ]);
  });

  test.each([199, 302, 400, 404, 410, 429, 500, 503])("counts an answer %i as a failed attempt", async (status) => {
    service.receiver.react = () => answered(status);
    await raise(service);
    await service.deliver();
    expect(await deliveries(service)).toMatchObject([
      { status: "PENDING", attempts: [{ httpStatus: status, error: null }] },
    ]);
  });

  test("retries 1, 2 and 4 seconds after each failure, then the delivery is FAILED", async () => {
    const sentAtMs: number[] = [];
    service.receiver.react = () => {
      sentAtMs.push(service.clock.now());
      // The receiver takes half a second to fail; the gap starts after that.
      service.clock.set(service.clock.now() + 500);
      return answered(503);
    };
    const raisedAtMs = service.clock.now();
    await raise(service);
    await service.deliver();
    for (const gapMs of [1_000, 2_000, 4_000]) {
      const sent = sentAtMs.length;
      await service.advance(gapMs - 1);
      await service.deliver();
      expect(sentAtMs).toHaveLength(sent);
      await service.advance(1);
      await service.deliver();
      expect(sentAtMs).toHaveLength(sent + 1);
    }
    expect(sentAtMs.map((atMs) => atMs - raisedAtMs)).toEqual([0, 1_500, 4_000, 8_500]);
    await service.advance(3_600_000);
    await service.deliver();
    expect(await deliveries(service)).toMatchObject([
      {
        status: "FAILED",
        attempts: sentAtMs.map((atMs) => ({ at: new Date(atMs).toISOString(), httpStatus: 503, error: null })),
      },
    ]);
  });

  test("sends the same id, bytes and signature each time, and ends on first success", async () => {
    service.receiver.react = () => answered(service.receiver.requests.length < 3 ? 500 : 200);
    await raise(service);
    for (let second = 0; second < 10; second += 1) {
      await service.deliver();
      await service.advance(1_000);
    }
    const [first, ...others] = service.receiver.requests;
    expect(others).toEqual([first, first]);
    expect(await deliveries(service)).toMatchObject([{ status: "DELIVERED", attempts: [{}, {}, { httpStatus: 200 }] }]);
  });

  test("names in one word why there was no answer", async () => {
    service.receiver.react = () => ({ httpStatus: null, error: "connection-refused" });
    await raise(service);
    await service.deliver();
    expect(await deliveries(service)).toMatchObject([
      { status: "PENDING", attempts: [{ httpStatus: null, error: "connection-refused" }] },
    ]);
  });

  test("sends the oldest event of an endpoint first", async () => {
    for (const onBoardingId of ["first", "second", "third"]) await raise(service, AURORA, { onBoardingId });
    await service.deliver();
    const ids = (await deliveries(service)).map(({ id }) => id).toReversed();
    expect(service.receiver.requests.map(({ headers }) => headers["X-Webhook-Event-Id"])).toEqual(ids);
  });
});

describe("a process that ends", () => {
  test("resends an event after a crash between sending and saving, counted once", async () => {
    const held: ((answer: Answer) => void)[] = [];
    service.receiver.react = () => new Promise((answer) => held.push(answer));
    await raise(service);
    const killed = service.deliver();
    await vi.waitFor(() => expect(service.receiver.requests).toHaveLength(1));

    const next = await service.restart();
    next.receiver.react = () => answered(200);
    await next.deliver();
    const [first, ...others] = next.receiver.requests;
    expect(others).toEqual([first]);
    expect(await deliveries(next)).toMatchObject([{ status: "DELIVERED", attempts: [{ httpStatus: 200 }] }]);

    for (const answer of held) answer(answered(500));
    await killed;
    expect(await deliveries(next)).toMatchObject([{ status: "DELIVERED", attempts: [{ httpStatus: 200 }] }]);
  });

  test("leaves a process's attempts and their times to the next one", async () => {
    service.receiver.react = () => answered(500);
    await raise(service);
    await service.deliver();
    const next = await service.restart();
    await next.deliver();
    expect(service.receiver.requests).toHaveLength(1);
    await next.advance(1_000);
    await next.deliver();
    expect(service.receiver.requests).toHaveLength(2);
  });
});

describe("a tenant whose webhook is gone from the tenants file", () => {
  test.each([
    ["without a webhook", [{ ...AURORA, webhook: null }, BOREAL]],
    ["without the tenant", [BOREAL]],
  ])("leaves FAILED deliveries that say so: a file %s", async (_, tenants) => {
    await raise(service);
    await raise(service, BOREAL);
    const next = await service.restart({ tenants });
    await next.deliver();
    expect(next.receiver.requests.map(({ url }) => url)).toEqual([BOREAL.webhook?.url]);
    expect(await deliveries(next)).toMatchObject([
      { status: "FAILED", attempts: [{ httpStatus: null, error: "no-webhook" }] },
    ]);
  });

  test("sends to the new URL with the new secret when both were changed", async () => {
    await raise(service);
    const webhook = { url: "https://new.aurora.example", secret: "new", events: [] };
    const next = await service.restart({ tenants: [{ ...AURORA, webhook }] });
    await next.deliver();
    const [request] = next.receiver.requests;
    expect(request?.url).toBe(webhook.url);
    expect(verify("new", request?.body ?? "", request?.headers["X-Webhook-Signature"] ?? "")).toBe(true);
  });
});

const tenantAt = (host: string): Tenant => {
  const webhook = { url: `https://${host}/`, secret: "s", events: ["onboarding-create" as const] };
  return { ...AURORA, clientId: host, webhook };
};

describe("eighty receivers that never answer", () => {
  const HANGING = Array.from({ length: 80 }, (_, number) => tenantAt(`hanging-${number}.example`));
  const HEALTHY = tenantAt("healthy.example");
  const FAILING = tenantAt("failing.example");

  test("delays neither another's first event nor another's retry", async () => {
    service = await startService({ tenants: [...HANGING, HEALTHY, FAILING] });
    const { app, receiver } = service;
    const held: ((answer: Answer) => void)[] = [];
    receiver.react = ({ url }) => {
      if (url === HEALTHY.webhook?.url) return answered(200);
      if (url === FAILING.webhook?.url) return answered(500);
      return new Promise((answer) => held.push(answer));
    };
    for (const tenant of HANGING) for (let event = 0; event < 3; event += 1) await raise(service, tenant);
    await app.sender.begin();
    // Each endpoint has one place, and fifty have a second.
    expect(new Set(receiver.requests.map(({ url }) => url)).size).toBe(80);
    expect(held).toHaveLength(130);

    const until = (tenant: Tenant, delivery: object) =>
      vi.waitFor(async () => expect(await deliveries(service, tenant)).toMatchObject([delivery]), { timeout: 20_000 });
    await raise(service, HEALTHY);
    await raise(service, FAILING);
    await app.sender.begin();
    await until(HEALTHY, { status: "DELIVERED", attempts: [{ httpStatus: 200 }] });
    await until(FAILING, { status: "PENDING", attempts: [{ httpStatus: 500 }] });
    await service.advance(1_000);
    await app.sender.begin();
    await until(FAILING, { status: "PENDING", attempts: [{ httpStatus: 500 }, { httpStatus: 500 }] });
    expect(held).toHaveLength(130);

    receiver.react = () => answered(200);
    for (const answer of held) answer(answered(200));
    await service.deliver();
    expect(receiver.requests).toHaveLength(3 * HANGING.length + 3);
  });
});
