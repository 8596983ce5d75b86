import { requestFields } from "./request-record";
import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { grant } from "@/lib/permission/grant";
import { getSession } from "@/lib/auth/session";
import { provider } from "@/lib/provider/client";
import { AppError } from "@/lib/errors/app-error";
import { createIntents } from "@/lib/provider/intents/intent";
import { createAccount } from "@/lib/provider/operations";
import { completeCpf } from "@/lib/contract/document";
import { AccountRequested } from "@/lib/contract/onboarding";
import { saveDraft, openDraft } from "@/lib/drafts/drafts";
import { listAccesses } from "@/lib/privacy/queries";
import { USUAL_PER_HOUR } from "@/lib/privacy/reveal";
import { onboarding } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import { draft } from "@/lib/db/tables/drafts";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { sessionOf } from "@/test/support/auth";
import { givenOnboarding } from "@/test/support/privacy";
import { givenIntents } from "@/test/support/transfers";
import { sweepOnce } from "@/lib/watch/watch";
import { personRequest } from "@/test/support/service/accounts";
import type { Harness } from "@/test/support/service/harness";
import { requestAccount } from "./create";
import { reviewAccount } from "./review-account";
import { prefillAccount, readAccountFormState, saveAccountDraft } from "./create-form";
import { AccountForm } from "./create-inputs";
import { accountOrder, companyAccountOrder, PASSWORD, typedPerson } from "@/test/support/onboarding";
import { onboardingEvent, onboardingRequest } from "@/lib/db/tables/onboarding";
import { onboardingWatch } from "@/lib/boot/onboarding-watch";

let db: Db;
let service: Harness;
let bodies: unknown[];
let ana: ReturnType<typeof actorOf<"onboarding:create">>;
let script: ReturnType<typeof givenIntents>;

const Tables = z.object({ rows: z.array(z.object({ name: z.string() })) });

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  bodies = [];
  service = await givenService();
  service.clock.set(Date.now());
  script = givenIntents();
  ana = actorOf("support", await givenStaff(db, "support"), "onboarding:create");
});

const trail = async () =>
  (await db.select().from(auditEvent).orderBy(auditEvent.seq)).map(({ code, outcome }) => `${code} ${outcome}`);
const requests = () => db.select().from(onboardingRequest);
const documentOf = (order: ReturnType<typeof accountOrder>) => order.person.documentNumber;
const steer = (id: string | null, body: Record<string, unknown>) =>
  service.control("POST", `/sandbox/onboardings/${id}`, body);

/** The whole content of the store, as text. */
async function wholeStore(): Promise<string> {
  const listed = await db.execute(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const texts: string[] = [];
  for (const { name } of Tables.parse(listed).rows) {
    texts.push(JSON.stringify(await db.execute(sql`select * from ${sql.identifier(name)}`)));
  }
  return texts.join("\n");
}

/** The order as it goes out. */
function givenWire(): void {
  globalThis.retaguardaIntents = createIntents({
    post: (actor, operation, given) => {
      bodies.push(given.body);
      return provider.post(actor, operation, given);
    },
    now: () => 0,
    sleep: async () => undefined,
    random: () => 0,
  });
}

describe("asking for an account", () => {
  it("makes one call and queues the onboarding at once with its requester", async () => {
    const { id } = await requestAccount(ana, accountOrder());
    const [row, ...others] = await db.select().from(onboarding);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ id, status: "PROCESSING", kind: "PF", traceId: null });
    expect((await db.select().from(onboardingEvent).orderBy(onboardingEvent.id)).map(({ kind }) => kind)).toEqual([
      "seen",
      "requested",
    ]);
    expect(await trail()).toEqual(["onboarding.create INTENT", "onboarding.create DONE"]);
    expect(script.sent).toBe(1);
    await sweepOnce(onboardingWatch, "aurora");
    expect(await db.select().from(onboarding)).toHaveLength(1);
  });

  it("sends all company fields, with the company's address for an owner", async () => {
    givenWire();
    await requestAccount(ana, companyAccountOrder());
    const [body] = bodies;
    expect(createAccount.body.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      transactionPassword: PASSWORD,
      legalPerson: {
        documentNumber: "11222333000181",
        businessEmail: "contato@example.com",
        contactNumber: "+551130000000",
        establishmentDate: "01-02-2015",
        businessAddress: { postalCode: "01310100", state: "SP" },
        owner: [
          { phoneNumber: "+351912345678", birthDate: "01-02-1980", address: { city: "São Paulo" } },
          { address: { city: "Campinas" } },
        ],
      },
    });
  });

  it("requests an account once per form, from any number of tabs", async () => {
    const order = accountOrder();
    const asked = await Promise.all([requestAccount(ana, order), requestAccount(ana, order)]);
    asked.push(await requestAccount(ana, order));
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
    expect(script.sent).toBe(1);
    const other = { ...accountOrder(), intentId: order.intentId };
    await expect(requestAccount(ana, other)).rejects.toMatchObject({ details: { code: "intent-reused" } });
  });

  it("is sent once for ten orders of one holder under ten ids by two people", async () => {
    const bia = actorOf("support", await givenStaff(db, "support"), "onboarding:create");
    const { intentId: _intent, ...wish } = accountOrder();
    const asked = Array.from({ length: 10 }, (_, nth) =>
      requestAccount(nth % 2 === 0 ? ana : bia, { ...wish, intentId: randomUUID() }),
    );
    const refused = (await Promise.allSettled(asked)).flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refused).toHaveLength(9);
    expect(new Set(refused.map(({ kind }) => kind))).toEqual(new Set(["conflict"]));
    expect(script.sent).toBe(1);
  });

  it("stores the password nowhere, not even in the fields that compare orders", async () => {
    const order = accountOrder();
    await requestAccount(ana, order);
    expect(await wholeStore()).not.toContain(PASSWORD);
    const [request] = await requests();
    expect(request === undefined ? "" : JSON.stringify(requestFields(request))).not.toContain(PASSWORD);
    const again = await requestAccount(ana, { ...order, transactionPassword: "outra-senha-7" });
    expect(again.id).toBe(request?.onboardingId);
    expect(script.sent).toBe(1);
  });

  it("keeps holder data sealed, and drops the typed form once done", async () => {
    const { draftId } = await openDraft(ana, "account-pf");
    await saveDraft(ana, "account-pf", { do: "save", draftId, version: 0, fields: { "person.fullName": "Ana" } });
    await requestAccount(ana, accountOrder({ intentId: draftId }));
    expect(await openDraft(ana, "account-pf")).toMatchObject({ fields: null });
    expect(JSON.stringify(await requests())).not.toMatch(/Beatriz|Souza|Paulista|files\.example/);
  });
});

describe("a document that has an onboarding or an account already", () => {
  it("asks first, also about an onboarding begun elsewhere, unless already seen", async () => {
    const order = accountOrder();
    const body = personRequest(documentOf(order));
    await service.send("POST", "/v1/bank-accounts/create", { body });
    await expect(requestAccount(ana, order)).rejects.toMatchObject({ details: { code: "account-like" } });
    expect(script.sent).toBe(0);
    const form = AccountForm.parse({ ...typedPerson({ documentNumber: documentOf(order) }) });
    const { duplicates, hosts } = await reviewAccount(ana, { ...form, from: null });
    expect(duplicates).toMatchObject([{ byName: null, status: "PROCESSING", isUnconfirmed: false }]);
    expect(hosts).toEqual(["files.example", "selfies.example"]);
    const seen = duplicates.map(({ ref }) => ref);
    // The provider has the last word, and says no.
    await expect(requestAccount(ana, { ...order, seen })).rejects.toMatchObject({ kind: "conflict" });
    expect(script.sent).toBe(1);
  });

  it("requests an account once for two concurrent people, and informs the other", async () => {
    const rui = actorOf("support", await givenStaff(db, "support"), "onboarding:create");
    const order = accountOrder();
    const both = await Promise.allSettled([
      requestAccount(ana, order),
      requestAccount(rui, { ...order, intentId: randomUUID() }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(script.sent).toBe(1);
  });
});

describe("a request that the provider refuses", () => {
  it("keeps the form of a refused request for correction, without any effect", async () => {
    const { draftId: intentId } = await openDraft(ana, "account-pf");
    const save = { do: "save", draftId: intentId, version: 0, fields: { email: "ana" } } as const;
    await saveDraft(ana, "account-pf", save);
    const refusal = new AppError("invalid", { status: 400, providerMessage: "person.phoneNumber: is unknown here" });
    const { kind, details } = refusal;
    const refused = { kind, details };
    let refusals = 1;
    globalThis.retaguardaIntents = createIntents({
      post: (...given) => (refusals-- > 0 ? Promise.reject(refusal) : provider.post(...given)),
      now: () => 0,
      sleep: async () => undefined,
      random: () => 0,
    });
    await expect(requestAccount(ana, accountOrder({ intentId }))).rejects.toMatchObject(refused);
    expect((await readAccountFormState(ana, { kind: "PF", from: null })).draft.fields).toEqual({ email: "ana" });
    const { id } = await requestAccount(ana, accountOrder({ intentId }));
    expect(await requests()).toMatchObject([{ intentId, onboardingId: id }]);
    expect(await trail()).toEqual([
      "onboarding.create INTENT",
      "onboarding.create REFUSED",
      "onboarding.create INTENT",
      "onboarding.create DONE",
    ]);
  });
});

const why = { reason: "service", note: "Protocolo 8731, nova tentativa" } as const;

describe("taking up an attempt that ended", () => {
  it("asks for a recent proof after twenty documents an hour, and logs each access", async () => {
    vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: ana.id, isProven: false }));
    const attempts = [];
    for (let n = 0; n <= USUAL_PER_HOUR; n += 1)
      attempts.push(await givenOnboarding(db, completeCpf(String(300_000_000 + n))));
    const last = attempts.pop() ?? "";
    for (const from of attempts) await prefillAccount(ana, { from, ...why });
    await expect(prefillAccount(ana, { from: last, ...why })).rejects.toMatchObject({ details: { code: "step-up" } });
    const auditor = sessionOf({ staffId: ana.id, tenant: "aurora", roles: ["auditor"] });
    vi.mocked(getSession).mockResolvedValue(auditor);
    expect(await listAccesses({ kind: "onboarding", id: attempts[0] ?? "" })).toMatchObject([
      { code: "onboarding.prefill", by: ana.id, reason: { choice: "service", note: why.note } },
    ]);
    expect(await listAccesses({ kind: "onboarding", id: last })).toEqual([]);
  });

  it("restores all but the password, links the new attempt, and audits both", async () => {
    const order = accountOrder();
    const { id: older } = await requestAccount(ana, order);
    const [row] = await db.select().from(onboarding);
    await steer(row?.onBoardingId ?? null, { status: "ERROR" });
    await db.update(onboarding).set({ nextCheckAt: new Date(0) });
    await sweepOnce(onboardingWatch, "aurora");
    expect(await readAccountFormState(ana, { kind: "PJ", from: older })).toMatchObject({
      kind: "PF",
      earlier: { id: older, status: "ERROR", isOurs: true },
    });
    const fields = await prefillAccount(ana, { from: older, ...why });
    expect(fields).toMatchObject({
      "person.fullName": "Ana Beatriz Souza",
      "person.birthDate": "07/05/1990",
      "person.isPoliticallyExposedPerson": "no",
      "person.address.longitude": "-46.65",
    });
    expect(Object.keys(fields).filter((name) => /password/i.test(name))).toEqual([]);
    const again = accountOrder({ from: older, person: order.person });
    const { id } = await requestAccount(ana, again);
    const [newer] = await db.select().from(onboarding).where(eq(onboarding.id, id));
    expect(newer).toMatchObject({ previousId: older });
    expect((await trail()).filter((line) => line.startsWith("onboarding.prefill"))).toEqual([
      "onboarding.prefill DONE",
    ]);
  });

  it("refuses another customer's document, in the review and when it is sent", async () => {
    const order = accountOrder();
    const { id: older } = await requestAccount(ana, order);
    const another = accountOrder();
    const wrong = { details: { issues: [{ path: ["person", "documentNumber"] }] } };
    const form = AccountForm.parse(typedPerson({ documentNumber: documentOf(another) }));
    await expect(reviewAccount(ana, { ...form, from: older })).rejects.toMatchObject(wrong);
    await expect(requestAccount(ana, accountOrder({ person: another.person, from: older }))).rejects.toMatchObject(
      wrong,
    );
    expect(await db.select().from(onboardingRequest)).toHaveLength(1);
  });

  it("keeps a retry's form apart from other attempts and new accounts", async () => {
    const order = accountOrder();
    const { id: from } = await requestAccount(ana, order);
    const plain = await readAccountFormState(ana, { kind: "PF", from: null });
    const typed = { draftId: plain.draft.draftId, version: 0, fields: { "person.documentNumber": "529.982.247-25" } };
    await saveAccountDraft(ana, { type: "PF", from: null, order: { do: "save", ...typed } });
    const retried = await readAccountFormState(ana, { kind: "PF", from });
    expect(retried).toMatchObject({ isChosen: true, draft: { fields: null }, unfinished: [] });
  });

  it("has no draft without a matching attempt", async () => {
    const { id } = await requestAccount(ana, accountOrder());
    const order = { do: "begin" } as const;
    for (const wrong of [{ type: "PF", from: randomUUID() } as const, { type: "PJ", from: id } as const])
      await expect(saveAccountDraft(ana, { ...wrong, order })).rejects.toMatchObject({ kind: "not-found" });
    expect(await db.$count(draft)).toBe(0);
  });

  it("restores only the document of an attempt begun elsewhere", async () => {
    const { body } = await service.send("POST", "/v1/bank-accounts/create", { body: personRequest("52998224725") });
    AccountRequested.parse(body);
    await sweepOnce(onboardingWatch, "aurora");
    const [row] = await db.select().from(onboarding);
    const from = row?.id ?? "";
    expect(await prefillAccount(ana, { from, ...why })).toEqual({ "person.documentNumber": "529.982.247-25" });
    const elsewhere = grant({ staffId: ana.id, tenant: "boreal", roles: ["support"] }, "onboarding:create");
    if (elsewhere === null) throw new Error("support may ask for accounts");
    await expect(prefillAccount(elsewhere, { from, ...why })).rejects.toMatchObject({ kind: "not-found" });
  });
});
