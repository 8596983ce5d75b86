import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { approvalsWatch } from "@/lib/approvals/watch";
import { strangest } from "@/lib/bank/other-provider-testing";
import { bankIntent } from "@/lib/bank/schema";
import { actorOf } from "@/lib/testing";
import { readClosing } from "./closing";
import { givenClosing } from "./testing";
import { accountsWatch } from "./watch";

let desk: Awaited<ReturnType<typeof givenClosing>>;
beforeEach(async () => {
  desk = await givenClosing();
});

const sweep = async () => {
  await accountsWatch.sweep("aurora");
  await approvalsWatch.sweep("aurora");
};
const sentAgo = (minutes: number) =>
  desk.db
    .update(bankIntent)
    .set({ firstSentAt: sql`clock_timestamp() - ${minutes} * interval '1 minute'` })
    .where(eq(bankIntent.state, "UNKNOWN"));
const closing = () => readClosing(actorOf("support", desk.makerId, "accounts:read"), desk.ref);

describe("a closure whose answer was lost", () => {
  it("is done once the provider shows the account closed, and is never sent again", async () => {
    desk.sent.losses = 1;
    const id = await desk.ready();
    await expect(desk.carrying(id)).resolves.toEqual({ state: "UNKNOWN", code: "no-answer" });
    expect(await closing()).toMatchObject({ state: "UNKNOWN", approvalId: id, seenOpenAt: null });
    await sweep();
    expect(await desk.stateOf(id)).toEqual(["EXECUTED", null]);
    expect(await closing()).toMatchObject({ state: "CLOSED", reason: "A pedido do titular", approvalId: id });
    expect(desk.asked()).toBe(1);
  });

  it("is done too where the provider says so in words of its own, further down", async () => {
    desk.provider.manner = strangest;
    desk.sent.losses = 1;
    const id = await desk.ready();
    await desk.carrying(id);
    await sweep();
    expect(await desk.stateOf(id)).toEqual(["EXECUTED", null]);
    expect(await closing()).toMatchObject({ state: "CLOSED" });
  });

  it("stays unknown while the account shows open for a moment, and stands in the way of another one", async () => {
    desk.sent.requestsLost = 1;
    const id = await desk.ready();
    await desk.carrying(id);
    await sentAgo(4);
    await sweep();
    expect(await desk.stateOf(id)).toEqual(["UNKNOWN", "no-answer"]);
    expect(await closing()).toMatchObject({ state: "UNKNOWN", seenOpenAt: expect.any(String) });
    await expect(desk.propose()).rejects.toMatchObject({ details: { code: "closing-pending" } });
  });

  it("had no effect when the account shows open minutes later, and can be proposed again", async () => {
    desk.sent.requestsLost = 1;
    const id = await desk.ready();
    await desk.carrying(id);
    await sentAgo(6);
    await sweep();
    expect(await desk.stateOf(id)).toEqual(["FAILED", "closing-not-seen"]);
    expect(await closing()).toBeNull();
    await expect(desk.carrying(await desk.ready())).resolves.toMatchObject({ state: "EXECUTED" });
    expect(await desk.status()).toBe("CLOSED");
  });

  it("is left to the next sweep when the provider does not answer", async () => {
    desk.sent.losses = 1;
    const id = await desk.ready();
    await desk.carrying(id);
    const path = "/v1/bank-accounts/getAccountInfoNaturalPerson";
    await desk.service.control("POST", "/sandbox/faults", { method: "GET", path, status: 503, times: 100 });
    await expect(accountsWatch.sweep("aurora")).rejects.toMatchObject({ kind: "unavailable" });
    expect(await desk.stateOf(id)).toEqual(["UNKNOWN", "no-answer"]);
    await desk.service.control("DELETE", "/sandbox/faults");
    await sweep();
    expect(await desk.stateOf(id)).toEqual(["EXECUTED", null]);
  });
});
