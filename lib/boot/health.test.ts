import { beforeEach, expect, it, vi } from "vitest";
import type { Db } from "@/lib/db/connection";
import { StoreUnavailable } from "@/lib/db/error";
import { readTestDatabaseUrl } from "@/lib/settings/env";
import { givenStore } from "@/test/support/console";
import { gate } from "@/test/support/gate";
import { isStoreOpen } from "@/lib/health/database";
import { liveness, readiness } from "./health";

let db: Db;
beforeEach(async () => {
  db = await givenStore();
});

it.each([
  ["ready", readiness],
  ["alive", liveness],
])("reports the console as %s only while its store answers", async (_, ask) => {
  expect((await ask()).status).toBe(200);
  vi.spyOn(db, "execute").mockImplementation(() => {
    throw new StoreUnavailable("silent");
  });
  expect((await ask()).status).toBe(503);
});

it.skipIf(readTestDatabaseUrl() !== undefined)(
  "does not open the store while somebody else holds its one connection",
  async () => {
    const held = gate();
    const released = gate();
    const holding = db.transaction(async () => {
      held.open();
      await released.opened;
    });
    await held.opened;
    expect(await isStoreOpen(1)).toBe(false);
    released.open();
    await holding;
  },
);
