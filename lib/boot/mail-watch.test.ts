import { randomUUID } from "node:crypto";
import { eq, ne, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { refuseRequest } from "@/lib/approvals/decide";
import { expireOverdue } from "@/lib/approvals/expire";
import { AppError } from "@/lib/errors/app-error";
import { createIntents } from "@/lib/provider/intents/intent";
import { providerIntent } from "@/lib/db/tables/provider";
import { chooseOwnMail, readOwnMails } from "@/lib/preferences/mails";
import { log } from "@/lib/log/log";
import { saveMailLocale } from "@/lib/mail/outbox";
import { mailNotice } from "@/lib/db/tables/mail";
import { staff } from "@/lib/db/tables/staff";
import { auditEvent } from "@/lib/db/tables/audit";
import { requestAccount } from "@/lib/onboarding/create";
import { accountOrder } from "@/test/support/onboarding";
import { givenFixture } from "@/test/support/approvals";
import { actorOf, givenEnv, givenStaff } from "@/test/support/console";
import { givenIntentRows } from "@/test/support/claims";
import { bodyOf, startMailServer } from "@/test/support/mail";
import { internalOrder, orderInternalTransfer } from "@/test/support/transfers";
import { mailsWatch } from "./mail-watch";

let fixture: Awaited<ReturnType<typeof givenFixture>>;
let server: Awaited<ReturnType<typeof startMailServer>>;

beforeEach(async () => {
  server = await startMailServer();
  fixture = await givenFixture();
  givenEnv({ mail: server.settings });
});
const intents = globalThis.retaguardaIntents;
afterEach(() => {
  globalThis.retaguardaIntents = intents;
  return server.close();
});

const sweep = () => mailsWatch.sweep("aurora");
const subjects = () => server.received.map(({ data }) => /^Subject: (.*)$/m.exec(data)?.[1]?.trim());
const english = (staffId: string) => saveMailLocale(staffId, "en");
const hourPasses = () =>
  fixture.db.update(mailNotice).set({ endedAt: sql`${mailNotice.endedAt} - interval '61 minutes'` });
const becomesDue = () => fixture.db.update(mailNotice).set({ dueAt: sql`clock_timestamp() - interval '1 second'` });
const addressOf = async (id: string) =>
  (await fixture.db.select().from(staff).where(eq(staff.id, id))).map(({ email }) => email);

describe("who may authorise", () => {
  it("mails one notice of a request, without amount, names or documents", async () => {
    await english(fixture.approverId);
    await fixture.propose();
    await sweep();
    await sweep();
    expect(subjects()).toEqual(["1 request waits for you"]);
    const [mail] = server.received;
    expect(mail?.to).toEqual(await addressOf(fixture.approverId));
    const text = mail === undefined ? "" : bodyOf(mail);
    expect(text).toContain("http://localhost:3000/approvals");
    expect(text).not.toMatch(/5[.,]?000|Ana|\d{11}/);
  });

  it("mails at most one notice an hour about everything since", async () => {
    await english(fixture.approverId);
    await fixture.propose();
    await sweep();
    for (let n = 0; n < 3; n += 1) await fixture.propose(internalOrder(fixture.parties, { amount: `${5001 + n}.00` }));
    await sweep();
    expect(server.received).toHaveLength(1);
    await hourPasses();
    await sweep();
    expect(subjects()).toEqual(["1 request waits for you", "3 requests wait for you"]);
  });

  it("mails in Portuguese when no language was chosen", async () => {
    await fixture.propose();
    await sweep();
    expect(bodyOf(server.received[0] ?? { data: "" })).toContain("1 solicita");
  });

  it("mails nothing about a request decided before the mail left", async () => {
    const approvalId = await fixture.propose();
    await refuseRequest(fixture.approver, { approvalId, reason: "no" });
    await fixture.db.delete(mailNotice).where(eq(mailNotice.subject, "refused"));
    await sweep();
    expect(server.received).toEqual([]);
  });

  it("mails nothing after opting out", async () => {
    const person = { staffId: fixture.approverId, roles: ["approver" as const] };
    expect(await readOwnMails(person)).toMatchObject({ choices: [{ choice: "waiting", isOn: true }, {}] });
    expect(await chooseOwnMail(person, { choice: "waiting", isOn: false })).toMatchObject({
      choices: [
        { choice: "waiting", isOn: false },
        { choice: "decided", isOn: true },
      ],
    });
    await fixture.propose();
    await sweep();
    expect(server.received).toEqual([]);
    await chooseOwnMail(person, { choice: "waiting", isOn: true });
    await fixture.propose(internalOrder(fixture.parties, { amount: "5001.00" }));
    await sweep();
    expect(server.received).toHaveLength(1);
  });
});

describe("who asked", () => {
  it("mails the maker that their request was authorised", async () => {
    await english(fixture.makerId);
    await fixture.authorising(await fixture.propose());
    await sweep();
    expect(subjects()).toEqual(["A request of yours was authorised"]);
  });

  it("mails the maker about a rejection and an expiry", async () => {
    await english(fixture.makerId);
    await refuseRequest(fixture.approver, { approvalId: await fixture.propose(), reason: "no" });
    await fixture.propose(internalOrder(fixture.parties, { amount: "5001.00" }));
    await fixture.tamper(sql`update approval set expires_at = clock_timestamp() where state = 'PENDING'`);
    await expireOverdue("aurora", "watch:approvals");
    await sweep();
    expect(new Set(subjects())).toEqual(new Set(["A request of yours expired", "A request of yours was rejected"]));
  });

  it("mails the maker that a held transfer ends within an hour", async () => {
    await english(fixture.makerId);
    const held = {
      tenant: "aurora",
      operation: "/v1/bank-accounts/generateInternalTransferRequest",
      object: "account:1",
      isExclusive: false,
      actor: fixture.makerId,
      bodyHash: "x",
      state: "HELD",
      attempts: 1,
      mayHaveExecuted: false,
      owner: randomUUID(),
      sendingUntil: new Date(),
      createdAt: new Date(),
    } as const;
    const endsIn = (minutes: number) => ({
      ...held,
      id: randomUUID(),
      key: randomUUID(),
      pendingExpiresAt: new Date(Date.now() + minutes * 60_000),
    });
    await givenIntentRows(fixture.db, endsIn(50), endsIn(70));
    await sweep();
    await sweep();
    expect(subjects()).toEqual(["A held transfer ends within an hour"]);
  });
});

const unanswered = () => Promise.reject(new AppError("unavailable", { code: "no-answer", mayHaveExecuted: true }));

describe("a write without an answer", () => {
  it("mails people who may settle an unanswered write after five minutes", async () => {
    globalThis.retaguardaIntents = createIntents({
      post: unanswered,
      now: () => 0,
      sleep: async () => {},
      random: () => 0,
    });
    const support = await givenStaff(fixture.db, "support");
    await english(support);
    const creator = actorOf("support", support, "onboarding:create");
    await expect(requestAccount(creator, accountOrder())).rejects.toMatchObject({ kind: "unavailable" });
    await sweep();
    expect(server.received).toEqual([]);
    await fixture.db.delete(mailNotice).where(ne(mailNotice.staffId, support));
    await becomesDue();
    await sweep();
    expect(subjects()).toEqual(["A write to the provider is unconfirmed"]);
    await fixture.db.update(mailNotice).set({ endedAt: null, end: null, claimedAt: null });
    await fixture.db.update(providerIntent).set({ state: "DONE" });
    await sweep();
    expect(server.received).toHaveLength(1);
  });
});

describe("the outbox", () => {
  it("drops the mail of a rolled-back proposal", async () => {
    const order = fixture.big();
    await fixture.propose(order);
    await expect(orderInternalTransfer(fixture.maker, { ...order, amount: "6000.00" })).rejects.toBeInstanceOf(
      AppError,
    );
    expect(await fixture.db.$count(mailNotice)).toBe(1);
  });

  it("queues no mail without a mail server", async () => {
    givenEnv();
    await fixture.propose();
    await sweep();
    expect(await fixture.db.$count(mailNotice)).toBe(0);
    expect(await readOwnMails({ staffId: fixture.approverId, roles: ["approver"] })).toMatchObject({ isOff: true });
  });

  it("backs off while the mail server is down, and gives up after a day, audited", async () => {
    vi.spyOn(log, "error").mockImplementation(() => undefined);
    givenEnv({ mail: { ...server.settings, server: new URL("smtp://127.0.0.1:1") } });
    await fixture.propose();
    await sweep();
    await sweep();
    const [first] = await fixture.db.select().from(mailNotice);
    expect(first).toMatchObject({ attempts: 1, claimedAt: null, endedAt: null });
    await becomesDue();
    await sweep();
    const [second] = await fixture.db.select().from(mailNotice);
    expect(second?.attempts).toBe(2);
    expect((second?.dueAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(90_000);
    await fixture.db.update(mailNotice).set({ createdAt: sql`clock_timestamp() - interval '25 hours'` });
    givenEnv({ mail: server.settings });
    await becomesDue();
    await sweep();
    expect(server.received).toEqual([]);
    expect(await fixture.db.select().from(auditEvent).where(eq(auditEvent.code, "mail.give-up"))).toMatchObject([
      { actor: "watch:mails", object: `staff:${fixture.approverId}`, detail: { rows: 1 } },
    ]);
  });

  it("never resends a mail whose sender died", async () => {
    await fixture.propose();
    await fixture.db.update(mailNotice).set({ claimedAt: sql`clock_timestamp() - interval '1 minute'` });
    await sweep();
    expect(server.received).toEqual([]);
    await fixture.db.update(mailNotice).set({ claimedAt: sql`clock_timestamp() - interval '6 minutes'` });
    await sweep();
    expect(server.received).toEqual([]);
    expect(await fixture.db.select().from(mailNotice)).toMatchObject([{ end: "given-up" }]);
  });

  it("sends one mail when two processes sweep together", async () => {
    await fixture.propose();
    await Promise.all([sweep(), sweep()]);
    expect(server.received).toHaveLength(1);
  });

  it("mails nobody who has left", async () => {
    await fixture.propose();
    await fixture.db
      .update(staff)
      .set({ disabledAt: sql`clock_timestamp()` })
      .where(eq(staff.id, fixture.approverId));
    await sweep();
    expect(server.received).toEqual([]);
    await givenStaff(fixture.db, "approver");
  });
});
