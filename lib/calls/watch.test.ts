import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { type Call, writeCalls } from "@/lib/provider/call-log";
import { providerCall } from "@/lib/db/tables/provider";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import { sweepOnce } from "@/lib/watch/watch";
import { callWatch } from "./watch";

const call: Call = {
  id: "r",
  tenant: "aurora",
  method: "GET",
  path: "/v1/kyc/list",
  status: 200,
  kind: "ok",
  code: null,
  durationMs: 40,
  waitedMs: 0,
  lane: "watchers",
  attempt: 1,
  actor: "watch:kyc",
  object: null,
  providerRequestId: null,
  at: new Date(),
};

let db: Db;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

describe("the watch over the call log", () => {
  it("deletes calls older than thirty days, of removed tenants too", async () => {
    await writeCalls(db, [call, { ...call, tenant: "gone" }, { ...call, id: "young" }]);
    await db
      .update(providerCall)
      .set({ at: sql`clock_timestamp() - interval '31 days'` })
      .where(sql`${providerCall.requestId} = 'r'`);
    await sweepOnce(callWatch, "aurora");
    expect((await db.select().from(providerCall)).map(({ requestId }) => requestId)).toEqual(["young"]);
  });
});
