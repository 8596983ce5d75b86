import { eq } from "drizzle-orm";
import { getLocale } from "next-intl/server";
import { cookies, headers } from "next/headers";
import { beforeEach, expect, it, vi } from "vitest";
import { REFUSED_SIGN_IN, REVEALED } from "@/lib/audit-trail/view";
import { lookUp } from "@/lib/accounts/look-up";
import { getOpenSession, getSession } from "@/lib/auth/session";
import { ROLES } from "@/lib/permission/permission";
import { demoEmail } from "@/lib/staff/records";
import { movementExport, movementSource } from "@/lib/db/tables/movements";
import { staff } from "@/lib/db/tables/staff";
import { account } from "@/lib/db/tables/customers";
import { isUnattended } from "@/lib/log/work";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { openAccount } from "@/test/support/transfers";
import { demoIsMade, isDemoBeingMade } from "@/lib/lab/demo-progress";
import { demoWatch } from "./demo";
import { log } from "@/lib/log/log";

let db: Db;
beforeEach(async () => {
  givenEnv({ isEmbedded: true });
  db = await givenStore();
});

it("checks once whether the demo has any orders", async () => {
  const count = vi.spyOn(db, "$count");
  const watch = demoWatch();
  for (let beat = 0; beat < 3; beat += 1) await watch.sweep("aurora");
  expect(count).toHaveBeenCalledOnce();
});

async function givenDemo(beforeSend?: (request: Request) => void) {
  const service = await givenService(beforeSend);
  for (const role of ROLES) {
    const id = await givenStaff(db, role);
    await db
      .update(staff)
      .set({ email: demoEmail(role), isDemo: true, passwordHash: null })
      .where(eq(staff.id, id));
  }
  const looker = actorOf("support", await givenStaff(db, "support"), "accounts:read");
  const documents: string[] = [];
  for (let n = 0; n < 10; n += 1) {
    const { onBoardingId, documentNumber } = await openAccount(service);
    documents.push(documentNumber);
    await lookUp(looker, { query: onBoardingId });
  }
  await db.update(account).set({ standing: "OPEN" });
  return { documents };
}

it("gives the demo a file of last month's movements of ten accounts", async () => {
  await givenDemo();
  await demoWatch().sweep("aurora");
  expect(await db.select().from(movementExport)).toMatchObject([
    { state: "WAITING", scope: "chosen", locale: "pt-BR" },
  ]);
  expect(await db.select().from(movementSource)).toHaveLength(10);
});

it("says that the demo is being made until all of it is there", async () => {
  givenEnv({ isEmbedded: true, hasDemoActivity: true });
  await givenDemo();
  expect(await isDemoBeingMade(db, "aurora")).toBe(true);
  await demoWatch().sweep("aurora");
  // No history of a wallet was read, so no coin was sent.
  expect(await isDemoBeingMade(db, "aurora")).toBe(true);
  await demoIsMade(db, "aurora");
  expect(await isDemoBeingMade(db, "aurora")).toBe(false);
  givenEnv({ isEmbedded: true, hasDemoActivity: false });
  expect(await isDemoBeingMade(db, "boreal")).toBe(false);
});

it("does all its work outside of any request", async () => {
  await givenDemo();
  const outside = new Error("`cookies` was called outside a request scope.");
  for (const read of [getSession, getOpenSession]) vi.mocked(read).mockRejectedValue(outside);
  vi.mocked(getLocale).mockRejectedValue(outside);
  vi.mocked(cookies).mockRejectedValue(outside);
  vi.mocked(headers).mockRejectedValue(outside);
  const watch = demoWatch();
  for (let beat = 0; beat < 3; beat += 1) await watch.sweep("aurora");
  const left = (await db.select({ code: auditEvent.code }).from(auditEvent)).map(({ code }) => code);
  expect(left.filter((code) => code === REVEALED.code)).toHaveLength(2);
  expect(await db.select().from(movementExport)).toHaveLength(1);
});

it("asks the provider as work that nobody waits for", async () => {
  const asked: { path: string; isUnattended: boolean }[] = [];
  await givenDemo(({ url }) => asked.push({ path: new URL(url).pathname, isUnattended: isUnattended() }));
  asked.length = 0;
  await demoWatch().sweep("aurora");
  expect(asked.map(({ path }) => path)).toContain("/v1/bank-accounts/balance");
  expect(asked.filter((one) => !one.isUnattended)).toEqual([]);
});

it("logs the demo's refusals without a document", async () => {
  const { documents } = await givenDemo();
  const warn = vi.spyOn(log, "warn");
  await demoWatch().sweep("aurora");
  const said = warn.mock.calls.filter(([, message]) => message === "the demo's people were refused");
  expect(said.length).toBeGreaterThan(0);
  expect(said[0]?.[0]).toMatchObject({ kind: "invalid", status: 422 });
  for (const document of documents) expect(JSON.stringify(said)).not.toContain(document);
  const left = await db.select({ code: auditEvent.code, outcome: auditEvent.outcome }).from(auditEvent);
  const traces = left.filter(({ code }) => code === REVEALED.code || code === REFUSED_SIGN_IN.code);
  expect(traces).toEqual([{ ...REVEALED, outcome: "DONE" }, { ...REVEALED, outcome: "DONE" }, REFUSED_SIGN_IN]);
});
