import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Harness, startService } from "@/service/testing";
import { startSender } from "./start-sender";
import { answered, deliveries, raise } from "./testing";

let service: Harness;
beforeEach(async () => {
  service = await startService();
});

describe("the running sender", () => {
  test("wakes for an event, for a retry when the clock is moved, and stops", async () => {
    service.receiver.react = () => answered(service.receiver.letters.length === 1 ? 500 : 200);
    const sender = startSender(service.app.service, service.app.sender);
    await raise(service);
    await vi.waitFor(async () =>
      expect(await deliveries(service)).toMatchObject([{ attempts: [{ httpStatus: 500 }] }]),
    );
    await service.control("POST", "/sandbox/clock", { advanceSeconds: 1 });
    await vi.waitFor(async () => expect(await deliveries(service)).toMatchObject([{ status: "DELIVERED" }]));
    await sender.stop();
    await raise(service);
    expect(service.receiver.letters).toHaveLength(2);
  });

  test("breaks off what takes too long when it is stopped, and the next start makes that attempt again", async () => {
    service.receiver.react = (_, signal) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => resolve({ httpStatus: null, error: "connection-closed" })),
      );
    const sender = startSender(service.app.service, service.app.sender);
    await raise(service);
    await vi.waitFor(() => expect(service.receiver.letters).toHaveLength(1));
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const stopped = sender.stop();
    await vi.advanceTimersByTimeAsync(2_000);
    vi.useRealTimers();
    await stopped;
    expect(await deliveries(service)).toMatchObject([{ status: "PENDING", attempts: [] }]);
    const next = await service.restart();
    next.receiver.react = () => answered(200);
    await next.deliver();
    expect(await deliveries(next)).toMatchObject([{ status: "DELIVERED", attempts: [{ httpStatus: 200 }] }]);
  });
});

test("an outcome that the database refuses is saved later, and its event not sent again meanwhile", async () => {
  const { db, log } = service.app.service;
  const complaint = vi.spyOn(log, "error");
  await raise(service);
  await db.execute(sql`ALTER TABLE webhook_attempt RENAME TO elsewhere`);
  onTestFinished(async () => {
    await db.execute(sql`ALTER TABLE IF EXISTS elsewhere RENAME TO webhook_attempt`);
  });
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const delivered = service.deliver();
  await vi.waitFor(() => expect(complaint).toHaveBeenCalled());
  await db.execute(sql`ALTER TABLE elsewhere RENAME TO webhook_attempt`);
  await service.app.sender.begin();
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  await delivered;
  expect(service.receiver.letters).toHaveLength(1);
  expect(await deliveries(service)).toMatchObject([{ status: "DELIVERED", attempts: [{ httpStatus: 200 }] }]);
});
