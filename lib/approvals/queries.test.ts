import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { noteBalance } from "@/lib/accounts/records";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import { account } from "@/lib/store/schema";
import { actorOf } from "@/test/support/console";
import { getApproval } from "./queries";
import { givenFixture } from "@/test/support/approvals";

let fixture: Awaited<ReturnType<typeof givenFixture>>;
beforeEach(async () => {
  fixture = await givenFixture();
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: fixture.approverId, roles: ["approver"] }));
});

const lookedUp = async (place: 0 | 1): Promise<string> => {
  const reader = actorOf("finance", fixture.makerId, "accounts:read");
  const found = await lookUp(reader, { query: fixture.parties[place].onBoardingId });
  return "accountRef" in found ? found.accountRef : "";
};

describe("who decides a transfer", () => {
  it("sees whose both accounts are, as far as it is known here", async () => {
    const [, to] = [await lookedUp(0), await lookedUp(1)];
    await fixture.db.update(account).set({ holder: null });
    await fixture.db.update(account).set({ holder: "J••• L•••" }).where(eq(account.ref, to));
    const facts = (await getApproval(await fixture.propose()))?.shown?.facts ?? [];
    expect(facts.map(({ name }) => name)).toEqual(expect.arrayContaining(["from", "to", "toHolder"]));
    expect(facts.find(({ name }) => name === "toHolder")?.after).toEqual({ as: "text", text: "J••• L•••" });
    expect(facts.map(({ name }) => name)).not.toContain("fromHolder");
  });

  it("sees that the balance of the account that pays was never read, and is warned of none then", async () => {
    const unknown = { balance: null, blocked: null, at: null, isShort: false };
    const before = await fixture.propose();
    expect((await getApproval(before))?.payer).toEqual(unknown);
    await lookedUp(0);
    expect((await getApproval(before))?.payer).toEqual(unknown);
  });

  it.each([
    ["4999.99", true],
    ["5000.00", false],
    ["-1.00", true],
  ])("of a payer who had %s when it was last read is warned: %s", async (balance, isShort) => {
    const [ref, id] = [await lookedUp(0), await fixture.propose()];
    const asOf = new Date("2026-03-10T12:00:00.000Z");
    await noteBalance("aurora", ref, { balance, blockedBalance: "1.00", status: "", asOf });
    const at = asOf.toISOString();
    expect((await getApproval(id))?.payer).toEqual({ balance, blocked: "1.00", at, isShort });
    await fixture.authorising(id);
    expect((await getApproval(id))?.payer).toBeNull();
  });
});
