import { beforeEach, expect, it, vi } from "vitest";
import type { Db } from "@/lib/db/connection";
import { StoreUnavailable } from "@/lib/db/error";
import { givenStore } from "@/test/support/console";
import { isStoreOpen, liveness, readiness } from "./health";

let db: Db;
beforeEach(async () => {
  db = await givenStore();
});

it.each([
  ["ready", readiness],
  ["alive", liveness],
])("the console is %s while its store answers, and not when it does not", async (_, ask) => {
  expect((await ask()).status).toBe(200);
  vi.spyOn(db, "execute").mockImplementation(() => {
    throw new StoreUnavailable("silent");
  });
  expect((await ask()).status).toBe(503);
});

it("the store is not open while somebody else holds its one connection", async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  vi.spyOn(db, "execute").mockReturnValue(
    Object.assign(db.execute("select 1"), { then: released.then.bind(released) }),
  );
  expect(await isStoreOpen(1)).toBe(false);
  release();
});
