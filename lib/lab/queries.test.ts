import { createAdaptorServer } from "@hono/node-server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import type { Db } from "@/lib/db/connection";
import { AppError } from "@/lib/errors/app-error";
import { type Role, ROLES } from "@/lib/permission/permission";
import { sessionOf } from "@/test/support/auth";
import { givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { givenCase } from "@/test/support/kyc";
import { CONTROL_TOKEN, type Harness } from "@/test/support/service/harness";
import { getLab, isLabOpen } from "./queries";
import { fallAsleep, wakeUp } from "./receiver";
import { OFFERED } from "./view";

let db: Db;
let service: Harness;
let close: () => Promise<void> = async () => undefined;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  service = await givenService();
  const server = createAdaptorServer({ fetch: (request) => service.app.fetch(request) });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  close = () => new Promise((done) => server.close(() => done()));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  givenEnv({ lab: { baseUrl: `http://127.0.0.1:${port}`, token: CONTROL_TOKEN } });
});
afterEach(() => close());

async function signedInAs(role: Role): Promise<void> {
  const staffId = await givenStaff(db, role);
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, roles: [role], tenant: "aurora" }));
}

describe("the lab", () => {
  it("offers every scenario, with nothing in force at first", async () => {
    await signedInAs("admin");
    const { scenarios, inForce } = await getLab();
    expect(scenarios.map(({ name }) => name)).toEqual([...OFFERED]);
    expect(inForce).toEqual([]);
  });

  it("shows what is in force by this console's clock, and what ends it", async () => {
    await signedInAs("admin");
    await service.control("POST", "/sandbox/trouble", { kind: "silent", seconds: 60 });
    await service.control("POST", "/sandbox/outage", { seconds: 30 });
    await service.control("POST", "/sandbox/holds", { clientId: "aurora", transfers: 1 });
    await service.control("POST", "/sandbox/holds", { clientId: "boreal", transfers: 1 });
    const until = Date.now() + 60_000;
    fallAsleep("aurora", until);
    fallAsleep("boreal", until);
    const { inForce, asOf } = await getLab();
    for (const tenant of ["aurora", "boreal"]) wakeUp(tenant);
    const at = (seconds: number) => new Date(Date.parse(asOf) + seconds * 1_000).toISOString();
    expect(inForce).toEqual([
      { name: "fall-silent", endedBy: "end-trouble", until: at(60) },
      { name: "sleep-receiver", endedBy: "end-sleep", until: new Date(until).toISOString() },
      { name: "lose-deliveries", endedBy: "end-lost-deliveries", until: at(30) },
      { name: "hold-next", endedBy: "end-holds", until: null },
    ]);
  });

  it("names only decided cases of the tenant to reopen", async () => {
    await signedInAs("admin");
    await givenCase(db);
    await givenCase(db, { tenant: "boreal", status: "APPROVED" });
    const kycUUID = await givenCase(db, { status: "REPROVED" });
    const { scenarios } = await getLab();
    const fields = scenarios.find(({ name }) => name === "reopen-case")?.fields;
    expect(fields).toMatchObject([{ kind: "choice", options: [{ value: kycUUID, text: "***.456.789-**" }] }]);
  });

  it("does not exist without the embedded service's token", async () => {
    await signedInAs("admin");
    givenEnv();
    expect(isLabOpen()).toBe(false);
    await expect(getLab()).rejects.toMatchObject({ digest: "NEXT_HTTP_ERROR_FALLBACK;404" });
  });

  it("is unavailable while the service does not answer", async () => {
    await signedInAs("admin");
    await close();
    await expect(getLab.answer()).rejects.toMatchObject({ kind: "unavailable" });
  });

  it.each(ROLES.filter((role) => role !== "admin"))("is not shown to %s", async (role) => {
    await signedInAs(role);
    await expect(getLab.answer()).rejects.toBeInstanceOf(AppError);
  });
});
