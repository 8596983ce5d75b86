import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import type { Db } from "@/lib/db/connection";
import { AppError } from "@/lib/errors/app-error";
import { planWatches } from "@/lib/db/watch-state";
import type { Role } from "@/lib/permission/permission";
import { sessionOf } from "@/test/support/auth";
import { givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { openIncident } from "./incidents";
import { getHealth } from "./queries";

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  await givenService();
});

async function signedInAs(role: Role): Promise<void> {
  const staffId = await givenStaff(db, role);
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, roles: [role], tenant: "aurora" }));
}

describe("the health of a tenant", () => {
  it("says of nothing more than is known before anything ran", async () => {
    await signedInAs("auditor");
    await planWatches(db, "aurora", [{ name: "kyc", intervalMs: 30_000 }]);
    const { reading, judged, open, past, hasMailServer } = await getHealth();
    expect(judged.watches).toMatchObject([{ name: "kyc", verdict: "well", asOf: null, nextAt: null }]);
    expect(judged.parts).toMatchObject({
      provider: { verdict: null },
      token: { verdict: null },
      certificate: { verdict: null },
      writes: { verdict: "well" },
    });
    expect(reading.provider).toEqual({ answeredAt: null, silentSince: null, unanswered: 0 });
    expect([open, past, hasMailServer]).toEqual([[], [], false]);
  });

  it("shows an incident of the tenant, and none of another", async () => {
    await signedInAs("admin");
    await db.transaction((tx) => openIncident(tx, { tenant: "aurora", kind: "budget-spent" }));
    await db.transaction((tx) => openIncident(tx, { tenant: "boreal", kind: "budget-spent" }));
    expect((await getHealth()).open).toMatchObject([{ kind: "budget-spent", endedAt: null, mailed: 0, waiting: 0 }]);
  });

  it.each(["support", "compliance", "finance", "approver"] as const)("is not shown to %s", async (role) => {
    await signedInAs(role);
    await expect(getHealth.answer()).rejects.toBeInstanceOf(AppError);
  });
});
