import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Harness, startService } from "@/test/support/service/harness";
import { startSender } from "./sender";
import { answered, deliveries, raise } from "@/test/support/service/webhooks";

let service: Harness;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A busy machine takes its time. */
const PATIENCE = { timeout: 20_000 };

/** Stopped with the test, however that ends. */
function startedSender() {
  const sender = startSender(service.app.service, service.app.sender);
  onTestFinished(() => sender.stop());
  return sender;
}

describe("the running sender", () => {
  test("wakes the sender for an event and a due retry, and stops it", async () => {
    service.receiver.react = () => answered(service.receiver.requests.length === 1 ? 500 : 200);
    const sender = startedSender();
    await raise(service);
    const until = (delivery: object) =>
      vi.waitFor(async () => expect(await deliveries(service)).toMatchObject([delivery]), PATIENCE);
    await until({ attempts: [{ httpStatus: 500 }] });
    await service.control("POST", "/sandbox/clock", { advanceSeconds: 1 });
    await until({ status: "DELIVERED" });
    await sender.stop();
    await raise(service);
    expect(service.receiver.requests).toHaveLength(2);
  });

  test("aborts a slow attempt when stopped, and the next start repeats it", async () => {
    service.receiver.react = (_, signal) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => resolve({ httpStatus: null, error: "connection-closed" })),
      );
    const sender = startedSender();
    await raise(service);
    await vi.waitFor(() => expect(service.receiver.requests).toHaveLength(1), PATIENCE);
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const isStopped = vi.fn<() => void>();
    void sender.stop().then(isStopped);
    // Stopping first ends the current look, whose two seconds may start after the clock was moved once.
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(2_000);
      expect(isStopped).toHaveBeenCalled();
    }, PATIENCE);
    vi.useRealTimers();
    expect(await deliveries(service)).toMatchObject([{ status: "PENDING", attempts: [] }]);
    const next = await service.restart();
    next.receiver.react = () => answered(200);
    await next.deliver();
    expect(await deliveries(next)).toMatchObject([{ status: "DELIVERED", attempts: [{ httpStatus: 200 }] }]);
  });
});

test("saves an outcome that the database refused later, without resending", async () => {
  const { db, log } = service.app.service;
  const complaint = vi.spyOn(log, "error");
  await raise(service);
  onTestFinished(async () => {
    await db.execute(sql`ALTER TABLE IF EXISTS elsewhere RENAME TO webhook_attempt`);
  });
  await db.execute(sql`ALTER TABLE webhook_attempt RENAME TO elsewhere`);
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const delivered = service.deliver();
  await vi.waitFor(() => expect(complaint).toHaveBeenCalled(), PATIENCE);
  await db.execute(sql`ALTER TABLE elsewhere RENAME TO webhook_attempt`);
  await service.app.sender.begin();
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  await delivered;
  expect(service.receiver.requests).toHaveLength(1);
  expect(await deliveries(service)).toMatchObject([{ status: "DELIVERED", attempts: [{ httpStatus: 200 }] }]);
});
