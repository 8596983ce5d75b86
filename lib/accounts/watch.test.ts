import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { approvalsWatch } from "@/lib/boot/approvals-watch";
import { strangest } from "@/test/other-provider";
import { accountClosure } from "@/lib/db/tables/accounts";
import { providerIntent } from "@/lib/db/tables/provider";
import { actorOf } from "@/test/support/console";
import { readClosing } from "./closure";
import { givenClosing } from "@/test/support/accounts";
import { accountsWatch } from "./watch";

let fixture: Awaited<ReturnType<typeof givenClosing>>;
beforeEach(async () => {
  fixture = await givenClosing();
});

const sweep = async () => {
  await accountsWatch.sweep("aurora");
  await approvalsWatch.sweep("aurora");
};
const sentAgo = (minutes: number) =>
  fixture.db
    .update(providerIntent)
    .set({ firstSentAt: sql`clock_timestamp() - ${minutes} * interval '1 minute'` })
    .where(eq(providerIntent.state, "UNKNOWN"));
const closing = () => readClosing(actorOf("support", fixture.makerId, "accounts:read"), fixture.ref);

describe("a closure whose answer was lost", () => {
  it("ends a closing as done once the provider shows the account closed", async () => {
    fixture.sent.losses = 1;
    const id = await fixture.ready();
    await expect(fixture.carrying(id)).resolves.toEqual({ state: "UNKNOWN", code: "no-answer" });
    expect(await closing()).toMatchObject({ state: "UNKNOWN", approvalId: id, seenOpenAt: null });
    await sweep();
    expect(await fixture.stateOf(id)).toEqual(["EXECUTED", null]);
    expect(await closing()).toMatchObject({ state: "CLOSED", reason: "A pedido do titular", approvalId: id });
    expect(fixture.asked()).toBe(1);
  });

  it("ends a closing as done for the provider's own nested words too", async () => {
    fixture.provider.manner = strangest;
    fixture.sent.losses = 1;
    const id = await fixture.ready();
    await fixture.carrying(id);
    await sweep();
    expect(await fixture.stateOf(id)).toEqual(["EXECUTED", null]);
    expect(await closing()).toMatchObject({ state: "CLOSED" });
  });

  it("keeps a closing unknown at four minutes if the account is open", async () => {
    fixture.sent.requestsLost = 1;
    const id = await fixture.ready();
    await fixture.carrying(id);
    await sentAgo(4);
    await sweep();
    expect(await fixture.stateOf(id)).toEqual(["UNKNOWN", "no-answer"]);
    expect(await closing()).toMatchObject({ state: "UNKNOWN", isPending: true, seenOpenAt: expect.any(String) });
    await expect(fixture.propose()).rejects.toMatchObject({ details: { code: "closing-pending" } });
  });

  it("holds back no other closing after a day without an answer", async () => {
    fixture.sent.requestsLost = 1;
    await fixture.carrying(await fixture.ready());
    await fixture.db.update(accountClosure).set({ createdAt: sql`clock_timestamp() - interval '25 hours'` });
    expect(await closing()).toMatchObject({ state: "UNKNOWN", isPending: false });
  });

  it("fails a closing if the account is open minutes later, and allows another", async () => {
    fixture.sent.requestsLost = 1;
    const id = await fixture.ready();
    await fixture.carrying(id);
    await sentAgo(6);
    await sweep();
    expect(await fixture.stateOf(id)).toEqual(["FAILED", "closing-not-seen"]);
    expect(await closing()).toBeNull();
    await expect(fixture.carrying(await fixture.ready())).resolves.toMatchObject({ state: "EXECUTED" });
    expect(await fixture.status()).toBe("CLOSED");
  });

  it("checks a closing in the next sweep when the provider does not answer", async () => {
    fixture.sent.losses = 1;
    const id = await fixture.ready();
    await fixture.carrying(id);
    const path = "/v1/bank-accounts/getAccountInfoNaturalPerson";
    await fixture.service.control("POST", "/sandbox/faults", { method: "GET", path, status: 503, times: 100 });
    await expect(accountsWatch.sweep("aurora")).rejects.toMatchObject({ kind: "unavailable" });
    expect(await fixture.stateOf(id)).toEqual(["UNKNOWN", "no-answer"]);
    await fixture.service.control("DELETE", "/sandbox/faults");
    await sweep();
    expect(await fixture.stateOf(id)).toEqual(["EXECUTED", null]);
  });
});

describe("a closure that the provider took in a word of its own", () => {
  const nested = { undocumented: { names: "portuguese", wrapping: "nested" } } as const;

  it("keeps a closing accepted while the account shows open, however long", async () => {
    fixture.provider.manner = { ...nested, writes: { word: "EM_PROCESSAMENTO", isIdle: true } };
    const id = await fixture.ready();
    await expect(fixture.carrying(id)).resolves.toMatchObject({ state: "UNKNOWN" });
    await sentAgo(90);
    await sweep();
    expect(await closing()).toMatchObject({ state: "UNKNOWN", word: "EM_PROCESSAMENTO" });
  });

  it("ends an accepted closing once the account shows closed, without resending", async () => {
    fixture.provider.manner = { ...nested, writes: { word: "EM_PROCESSAMENTO" } };
    await fixture.carrying(await fixture.ready());
    await sweep();
    expect(await closing()).toMatchObject({ state: "CLOSED" });
    expect(fixture.asked()).toBe(1);
  });

  it("ends an accepted closing as done for a known word of completion", async () => {
    fixture.provider.manner = { ...nested, writes: { word: "CONCLUIDA" } };
    await expect(fixture.carrying(await fixture.ready())).resolves.toMatchObject({ state: "EXECUTED" });
    expect(await closing()).toMatchObject({ state: "CLOSED" });
  });

  it("ends an accepted closing as refused for a known word of refusal", async () => {
    fixture.provider.manner = { ...nested, writes: { word: "RECUSADA", message: "Há pendências", isIdle: true } };
    await expect(fixture.carrying(await fixture.ready())).rejects.toMatchObject({
      details: { code: "unknown:RECUSADA", providerMessage: "RECUSADA · Há pendências" },
    });
    expect(await fixture.intents()).toMatchObject([{ state: "REFUSED" }]);
  });
});
