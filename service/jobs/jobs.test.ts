import { beforeEach, expect, test } from "vitest";
import { readTestDatabaseUrl } from "@/service/settings";
import { transaction } from "@/service/store/transaction";
import { type Harness, startService } from "@/test/support/service/harness";
import {
  cancelScheduled,
  type JobKind,
  nextJobDueAt,
  runDueJobs,
  schedule,
  type Scheduler,
  startScheduler,
} from "./run-due";

let service: Harness;
let done: string[] = [];
beforeEach(async () => {
  service = await startService();
  done = [];
});
const plan = (subject: string, delayMs: number, kind = "note") =>
  transaction(service.app.service.db, (tx) => schedule(service.app.service, tx, { kind, subject, delayMs }));

const note: JobKind = {
  kind: "note",
  run: async (_, __, subject) => {
    done.push(subject);
  },
};
const run = (...kinds: JobKind[]) =>
  runDueJobs(service.app.service, new Map([note, ...kinds].map((kind) => [kind.kind, kind])));

test("does planned work once, when it is due, the oldest first", async () => {
  await plan("later", 2_000);
  await plan("sooner", 1_000);
  await run();
  expect(done).toEqual([]);
  service.clock.set(service.clock.now() + 2_000);
  await run();
  await run();
  expect(done).toEqual(["sooner", "later"]);
});

test("does work planned by due work in the same turn", async () => {
  const chain: JobKind = {
    kind: "chain",
    run: (app, tx, subject) => schedule(app, tx, { kind: "note", subject: `after ${subject}`, delayMs: 0 }),
  };
  await plan("first", 0, "chain");
  await run(chain);
  expect(done).toEqual(["after first"]);
});

test("rolls failed work back, lets other work run, and retries it", async () => {
  let attempts = 0;
  const flaky: JobKind = {
    kind: "flaky",
    run: async (app, tx, subject) => {
      attempts += 1;
      await schedule(app, tx, { kind: "note", subject: `${subject} ${attempts}`, delayMs: 0 });
      if (attempts === 1) throw new Error("the first attempt fails");
    },
  };
  await plan("flaky", 0, "flaky");
  await plan("other", 0);
  await run(flaky);
  expect(done).toEqual(["other"]);
  service.clock.set(service.clock.now() + 1_000);
  await run(flaky);
  expect(done).toEqual(["other", "flaky 2"]);
});

test("skips work without a handler and does the rest", async () => {
  await plan("orphan", 0, "forgotten");
  await plan("other", 0);
  await run();
  expect(done).toEqual(["other"]);
});

test("does not do cancelled work", async () => {
  await plan("gone", 0);
  await plan("kept", 0);
  await transaction(service.app.service.db, (tx) => cancelScheduled(tx, "note", "gone"));
  await run();
  expect(done).toEqual(["kept"]);
});

// The embedded engine has one connection, so two transactions never overlap.
test.skipIf(readTestDatabaseUrl() === undefined)("does not wait for running work when cancelling it", async () => {
  const meeting: JobKind = {
    kind: "meeting",
    run: async (app, _, subject) => {
      await transaction(app.db, (tx) => cancelScheduled(tx, "meeting", subject));
      done.push("met");
    },
  };
  await plan("begun", 0, "meeting");
  await run(meeting);
  expect(done).toEqual(["met"]);
});

test("forgets a plan that was rolled back", async () => {
  const failing = transaction(service.app.service.db, async (tx) => {
    await schedule(service.app.service, tx, { kind: "note", subject: "undone", delayMs: 0 });
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  await run();
  expect(done).toEqual([]);
});

test("wakes for planned work, finishes it on stop, then stays quiet", async () => {
  const scheduler = await new Promise<Scheduler>((resolve) => {
    const runOnce = async () => {
      await run();
      if (done.includes("rung")) resolve(started);
    };
    const { alarm } = service.app.service;
    const started = startScheduler(service.app.service, {
      alarm,
      runDue: runOnce,
      nextDueAt: () => nextJobDueAt(service.app.service),
    });
    void plan("rung", 0);
  });
  await scheduler.stop();
  await plan("after", 0);
  expect(done).toEqual(["rung"]);
});
