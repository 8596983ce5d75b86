import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { cookies } from "next/headers";
import { beforeEach, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import type { Db } from "@/lib/db/connection";
import { staffMembership } from "@/lib/db/tables/auth";
import type { Role } from "@/lib/permission/permission";
import { type Call, writeCalls } from "@/lib/provider/call-log";
import { invite } from "@/lib/staff/invitations";
import { givenBoreal } from "@/test/registries/tenants";
import { sessionOf } from "@/test/support/auth";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { getFirstSteps } from "./queries";

let db: Db;
let ana = "";

const signIn = (tenant: string, ...roles: Role[]) =>
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: ana, tenant, roles }));

const givenChoice = (value?: string) =>
  vi.mocked(cookies).mockResolvedValue(
    // @ts-expect-error -- only get is asked for
    { get: () => (value === undefined ? undefined : { name: "first-steps", value }) },
  );

beforeEach(async () => {
  const [aurora] = givenEnv().tenants;
  givenEnv({ tenants: [aurora, { ...aurora, clientId: "boreal", name: "Boreal" }] });
  db = await givenStore();
  ana = await givenStaff(db, "admin");
  signIn("aurora", "admin");
  givenChoice();
});

async function givenAnswer(status: number): Promise<void> {
  const call: Call = {
    id: randomUUID(),
    tenant: "aurora",
    method: "GET",
    path: "/v1/kyc/list",
    status,
    kind: status < 400 ? "ok" : "unavailable",
    code: null,
    durationMs: 100,
    waitedMs: 0,
    lane: "watchers",
    attempt: 1,
    actor: "watch:kyc",
    object: null,
    providerRequestId: null,
    at: new Date(),
  };
  await writeCalls(db, [call]);
}

const undone = { provider: false, team: false, approver: false, policy: false, webhook: false, account: false };

it("ticks nothing of a new company, and tells where the provider delivers to", async () => {
  expect(await getFirstSteps()).toEqual({
    done: undone,
    lastStatus: null,
    invited: 0,
    ownAddress: "http://localhost:3000/api/hooks/aurora",
  });
});

it("tells the status of an answer that refused the credentials", async () => {
  await givenAnswer(401);
  expect(await getFirstSteps()).toMatchObject({ done: { provider: false }, lastStatus: 401 });
  await givenAnswer(200);
  expect(await getFirstSteps()).toMatchObject({ done: { provider: true } });
});

it("counts an invitation, and ticks the team once somebody else is a member", async () => {
  const eva = { name: "Eva Reis", email: "eva@aurora.example", roles: ["support" as const] };
  await invite(db, { id: ana, tenant: "aurora" }, eva);
  expect(await getFirstSteps()).toMatchObject({ done: { team: false }, invited: 1 });
  const eduardo = await givenStaff(db, "approver");
  expect(await getFirstSteps()).toMatchObject({ done: { team: true, approver: true } });
  await db.update(staffMembership).set({ disabledAt: new Date() }).where(eq(staffMembership.staffId, eduardo));
  expect(await getFirstSteps()).toMatchObject({ done: { team: false, approver: false } });
});

it("ticks nothing by another tenant's records, and ends once all is done", async () => {
  await givenBoreal(db, ana);
  expect(await getFirstSteps()).toMatchObject({ done: undone });
  signIn("boreal", "admin");
  const open = await getFirstSteps();
  await db.insert(staffMembership).values({ staffId: await givenStaff(db), tenant: "boreal", roles: ["approver"] });
  expect([open?.done.approver, await getFirstSteps()]).toEqual([false, null]);
});

it("shows nothing where it was hidden, and refuses who may not change settings", async () => {
  givenChoice("hidden");
  expect(await getFirstSteps()).toBeNull();
  signIn("aurora", "auditor");
  await expect(getFirstSteps()).rejects.toMatchObject({ kind: "forbidden" });
});
