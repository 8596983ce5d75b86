import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { readSnapshot } from "@/lib/approvals/snapshot";
import { approval } from "@/lib/db/tables/approvals";
import { account } from "@/lib/db/tables/customers";
import { staff } from "@/lib/db/tables/staff";
import { ROLES } from "@/lib/permission/permission";
import { demoEmail } from "@/lib/staff/records";
import { findTransfer, readOthersToPayee } from "@/lib/transfers/records";
import { fillDemo } from "@/service/demo/demo";
import { bankAccount } from "@/service/store/schema";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { demoWatch } from "./demo";

const ACCOUNTS = 16;

it("the demo marks no account as already paid in its first proposals", async () => {
  givenEnv({ isEmbedded: true });
  const db = await givenStore();
  const service = await givenService();
  service.clock.set(Date.now());
  await fillDemo(service.call());
  for (const role of ROLES) {
    const changes = { email: demoEmail(role), isDemo: true, passwordHash: null };
    await db
      .update(staff)
      .set(changes)
      .where(eq(staff.id, await givenStaff(db, role)));
  }
  const readerId = await givenStaff(db, "support");
  const looker = actorOf("support", readerId, "accounts:read");
  const isOpen = eq(bankAccount.status, "ACTIVE");
  const opened = await service.call().db.select().from(bankAccount).where(isOpen).limit(ACCOUNTS);
  for (const { onboardingId } of opened) await lookUp(looker, { query: onboardingId });
  await db.update(account).set({ standing: "OPEN" });

  await demoWatch().sweep("aurora");

  const reader = actorOf("support", readerId, "transfers:read");
  const proposals = await db.select().from(approval);
  const read = await Promise.all(
    proposals.map(async (row) => {
      const facts = (await readSnapshot(row))?.shown.facts ?? [];
      const proposed = await findTransfer(db, reader, row.intentId);
      const others = proposed && (await readOthersToPayee(db, reader, row.intentId));
      const isPaid = (others ?? []).some(({ state }) => state === "CONFIRMED");
      return { isTransfer: proposed !== null, isFirst: facts.some(({ name }) => name === "firstUse"), isPaid };
    }),
  );
  const transfers = read.filter(({ isTransfer }) => isTransfer);
  expect(transfers.length).toBeGreaterThan(0);
  for (const { isFirst, isPaid } of transfers) expect(isFirst).toBe(!isPaid);
}, 60_000);
