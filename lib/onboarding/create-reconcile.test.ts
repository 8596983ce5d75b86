import { reconcileWrites } from "@/lib/sent-writes";
import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { grant } from "@/lib/permission/grant";
import { providerIntent } from "@/lib/db/tables/provider";
import { maskDocument } from "@/lib/contract/document";
import { saveDraft, openDraft } from "@/lib/drafts/drafts";
import { orderOutcome } from "@/lib/outcomes/end-outcome";
import { notHappened } from "@/test/support/outcomes";
import { onboarding } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { givenIntents } from "@/test/support/transfers";
import { sweepOnce } from "@/lib/watch/watch";
import { personRequest } from "@/test/support/service/accounts";
import type { Harness } from "@/test/support/service/harness";
import { requestAccount } from "./create";
import { readAccountFormState } from "./create-form";
import { reconcileAccountRequest } from "./create-reconcile";
import { accountOrder } from "@/test/support/onboarding";
import { onboardingEvent, onboardingRequest } from "@/lib/db/tables/onboarding";
import { onboardingWatch } from "@/lib/boot/onboarding-watch";

let db: Db;
let service: Harness;
let ana: ReturnType<typeof actorOf<"onboarding:create">>;
let script: ReturnType<typeof givenIntents>;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  service = await givenService();
  service.clock.set(Date.now());
  script = givenIntents();
  ana = actorOf("support", await givenStaff(db, "support"), "onboarding:create");
});

const fixture = () => readAccountFormState(ana, { kind: "PF", from: null });
const sweep = () => sweepOnce(onboardingWatch, "aurora");
const trail = async () =>
  (await db.select().from(auditEvent).orderBy(auditEvent.seq)).map(({ code, outcome }) => `${code} ${outcome}`);

async function refusedAs(code: string, asked: Promise<unknown>): Promise<void> {
  await expect(asked).rejects.toMatchObject({ details: { code } });
}

/** The provider did it, and its answer never came. */
async function answerLost(order = accountOrder()) {
  script.losses = 1;
  await refusedAs("account-unconfirmed", requestAccount(ana, order));
  return order;
}

/** It never reached the provider, which the console cannot know. */
async function requestLost(order = accountOrder()) {
  script.requestsLost = 1;
  await refusedAs("account-unconfirmed", requestAccount(ana, order));
  return order;
}

async function minutesPass(): Promise<void> {
  await db.update(providerIntent).set({ firstSentAt: sql`clock_timestamp() - interval '5 minutes'` });
  await db.update(onboardingRequest).set({ lookedAt: sql`${onboardingRequest.lookedAt} - interval '5 minutes'` });
}

describe("a request for an account whose answer was lost", () => {
  it("blocks a second request from this form and others until settled", async () => {
    const order = await answerLost();
    await refusedAs("intent-already-sent", requestAccount(ana, order));
    const another = { ...order, intentId: randomUUID(), seen: [order.intentId] };
    await refusedAs("account-unsettled", requestAccount(ana, another));
    expect(script.sent).toBe(1);
    expect((await fixture()).unconfirmed).toMatchObject([{ document: maskDocument(order.person.documentNumber) }]);
  });

  it("settles a lost request by the provider's record of its document", async () => {
    const order = await answerLost();
    await sweep();
    const [row] = await db.select().from(onboarding);
    expect(await requestAccount(ana, order)).toEqual({ id: row?.id });
    expect(await trail()).toEqual(["onboarding.create INTENT", "onboarding.create UNKNOWN", "onboarding.create DONE"]);
    expect((await db.select().from(onboardingEvent)).map(({ kind }) => kind)).toContain("requested");
    expect((await fixture()).unconfirmed).toEqual([]);
    expect(script.sent).toBe(1);
  });

  it("ignores an earlier onboarding", async () => {
    const order = accountOrder();
    const body = personRequest(order.person.documentNumber);
    await service.send("POST", "/v1/bank-accounts/create", { body });
    await sweep();
    const seen = (await db.select().from(onboarding)).map(({ id }) => id);
    await requestLost({ ...order, seen });
    await sweep();
    expect((await fixture()).unconfirmed).toMatchObject([{ candidates: [] }]);
  });

  it("asks a person when several onboardings fit, and takes the chosen one", async () => {
    const order = await answerLost();
    await sweep();
    const [row] = await db.select().from(onboarding);
    await db.update(onboardingRequest).set({ onboardingId: null });
    await db.update(providerIntent).set({ state: "UNKNOWN" });
    const twin = { ...row, id: randomUUID(), onBoardingId: "another", traceId: null };
    const { seq: _seq, kind: _kind, ...values } = twin;
    await db.insert(onboarding).values({
      ...values,
      tenant: "aurora",
      documentHash: row?.documentHash ?? "",
      documentSealed: row?.documentSealed ?? "",
      status: "PROCESSING",
      messages: [],
      firstSeenAt: new Date(),
      changedAt: new Date(),
      checkedAt: new Date(),
    });
    const { intentId } = order;
    const onboardingId = row?.id ?? "";
    await refusedAs("account-settled", reconcileAccountRequest(ana, { intentId, onboardingId: randomUUID() }));
    expect(await reconcileAccountRequest(ana, { intentId, onboardingId })).toEqual({ id: onboardingId });
    await refusedAs("account-settled", reconcileAccountRequest(ana, { intentId, onboardingId }));
  });

  it("allows a new request once a person said that the lost one had no effect", async () => {
    const opened = await openDraft(ana, "account-pf");
    const save = { do: "save", draftId: opened.draftId, version: 0, fields: { email: "a@b.example" } } as const;
    await saveDraft(ana, "account-pf", save);
    const order = await requestLost(accountOrder({ intentId: opened.draftId }));
    expect(await fixture()).toMatchObject({ isSent: true, unconfirmed: [{ isNotFound: false }] });
    // The page that waits for an answer must keep its form.
    await db.update(providerIntent).set({ state: "SENDING" });
    expect(await fixture()).toMatchObject({ isSent: false });
    await db.update(providerIntent).set({ state: "UNKNOWN" });
    await minutesPass();
    await sweep();
    expect(await fixture()).toMatchObject({ unconfirmed: [{ isNotFound: true }] });
    await orderOutcome(actorOf("support", ana.id, "outcomes:end"), notHappened(order.intentId));
    const { draft, isSent, unconfirmed } = await fixture();
    expect([isSent, unconfirmed, draft.fields]).toEqual([false, [], { email: "a@b.example" }]);
    expect((await requestAccount(ana, { ...order, intentId: draft.draftId })).id).not.toBe("");
    expect(script.sent).toBe(2);
  });

  it("allows a resend when the sender died before sending", async () => {
    const order = await answerLost();
    await db
      .update(providerIntent)
      .set({ state: "SENDING", attempts: 0, owner: randomUUID(), sendingUntil: new Date(0) });
    await reconcileWrites("aurora");
    const [intent] = await db.select().from(providerIntent).where(eq(providerIntent.id, order.intentId));
    expect(intent).toMatchObject({ state: "REFUSED", code: "never-sent" });
  });

  it("finds no request of another tenant", async () => {
    const { intentId } = await answerLost();
    const elsewhere = grant({ staffId: ana.id, tenant: "boreal", roles: ["support"] }, "onboarding:create");
    if (elsewhere === null) throw new Error("support may ask for accounts");
    expect((await readAccountFormState(elsewhere, { kind: "PF", from: null })).unconfirmed).toEqual([]);
    await refusedAs("account-settled", reconcileAccountRequest(elsewhere, { intentId, onboardingId: randomUUID() }));
  });
});
