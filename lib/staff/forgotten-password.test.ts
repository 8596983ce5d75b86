import { asc, eq, sql } from "drizzle-orm";
import { createTranslator } from "next-intl";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UNKNOWN_DEVICE } from "@/lib/auth/sign-in-try";
import { verifyPassword } from "@/lib/auth/password";
import { passwordLink, signInTry, staffSession } from "@/lib/db/tables/auth";
import { openSession } from "@/test/support/auth";
import { log } from "@/lib/log/log";
import { staff } from "@/lib/db/tables/staff";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import { type Received, startMailServer } from "@/test/support/mail";
import english from "@/messages/en.json";
import { askForLink, readPasswordLink, setForgottenPassword } from "./forgotten-password";
import { addStaff } from "./records";

const EMAIL = "ana@aurora.example";
const OLD = "seven quiet lanterns";
const NEW = "nine loud umbrellas";
const gone = { kind: "not-found", details: { code: "password-link-gone" } };
const device = { ...UNKNOWN_DEVICE, addressHash: "home" };
const mails = createTranslator({ locale: "en", messages: english, namespace: "passwordMail" });

let db: Db;
let server: Awaited<ReturnType<typeof startMailServer>>;
let received: Received[] = [];
/** Work that runs after the answers. */
let afterwards: (() => Promise<void>)[] = [];
const deps = { mails, later: (work: () => Promise<void>) => void afterwards.push(work) };

async function answersGiven(): Promise<void> {
  for (const work of afterwards.splice(0)) await work();
}
const ask = (email = EMAIL, from = device) => askForLink(db, { email, device: from }, deps);
const tokenIn = (mail = "") => /#([\w-]{43})/.exec(mail.replaceAll(/=\r?\n/g, ""))?.[1] ?? "";
const set = (token: string, password = NEW) => setForgottenPassword(db, { token, password }, deps);
const recorded = async (code: string) =>
  (await db.select().from(auditEvent).where(eq(auditEvent.code, code)).orderBy(asc(auditEvent.seq))).map(
    ({ actor, outcome, object, detail }) => ({ actor, outcome, object, detail }),
  );

let ana = "";
beforeEach(async () => {
  server = await startMailServer();
  received = server.received;
  afterwards = [];
  givenEnv({ mail: server.settings });
  db = await givenStore();
  const person = { email: EMAIL, name: "Ana", roles: ["support" as const], password: OLD, tenants: ["aurora"] };
  ana = (await addStaff(db, person))?.id ?? "";
});
afterEach(() => server.close());

async function sentLink(): Promise<string> {
  await ask();
  await answersGiven();
  return tokenIn(received.at(-1)?.data);
}

describe("who has forgotten a password", () => {
  it("mails a link that sets a new password once", async () => {
    expect(await ask(` ${EMAIL.toUpperCase()} `)).toBe("asked");
    await answersGiven();
    expect(received).toHaveLength(1);
    const token = tokenIn(received[0]?.data);
    expect(await readPasswordLink(db, token)).toMatchObject({ email: EMAIL });
    expect(await set(token)).toBeNull();
    expect(await openSession(EMAIL, OLD)).toBeNull();
    expect(await openSession(EMAIL, NEW)).not.toBeNull();
    await expect(set(token, "five green hammocks")).rejects.toMatchObject(gone);
    await expect(readPasswordLink(db, token)).rejects.toMatchObject(gone);
  });

  it("ends all sessions after a reset, mails it, and signs nobody in", async () => {
    await openSession(EMAIL, OLD);
    await openSession(EMAIL, OLD);
    await set(await sentLink());
    await answersGiven();
    const sessions = await db.select().from(staffSession);
    expect(sessions.map(({ endReason }) => endReason)).toEqual(["password-changed", "password-changed"]);
    expect(received.at(-1)?.data).toContain(english.passwordMail.newSubject);
    expect(await recorded("password.reset")).toEqual([
      { actor: ana, outcome: "DONE", object: `staff:${ana}`, detail: { issuedBy: "mail", sessionsEnded: 2 } },
    ]);
  });

  it("stops slowing a person by guesses at their account after a reset", async () => {
    const token = await sentLink();
    for (let n = 0; n < 8; n += 1) await openSession(EMAIL, "a wrong guess, all along");
    expect(await openSession(EMAIL, OLD)).toBeNull();
    await set(token);
    expect(await openSession(EMAIL, NEW)).not.toBeNull();
  });

  it("explains a refused password, and keeps the link valid", async () => {
    const token = await sentLink();
    expect(await set(token, "short")).toBe("password-short");
    expect(await set(token, "ana@aurora.example")).toBe("password-personal");
    expect(await set(token)).toBeNull();
  });

  it("accepts any one of the links sent, and none afterwards", async () => {
    const first = await sentLink();
    const second = await sentLink();
    expect(await set(first)).toBeNull();
    await expect(set(second)).rejects.toMatchObject(gone);
  });

  it("sets one password when two are sent together", async () => {
    const token = await sentLink();
    const outcomes = await Promise.allSettled([set(token), set(token, "five green hammocks")]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  it("refuses a link after its hour", async () => {
    const token = await sentLink();
    await db.update(passwordLink).set({ expiresAt: sql`clock_timestamp() - interval '1 second'` });
    await expect(set(token)).rejects.toMatchObject(gone);
    const [person] = await db.select().from(staff).where(eq(staff.id, ana));
    expect(await verifyPassword(person?.passwordHash ?? null, OLD)).toBe(true);
  });
});

describe("whoever asks for a link", () => {
  it("answers alike for an unknown address, and sends no mail", async () => {
    const known = await ask();
    const unknown = await ask("nobody@aurora.example");
    expect(unknown).toEqual(known);
    expect(await db.$count(auditEvent, eq(auditEvent.code, "password.link"))).toBe(0);
    await answersGiven();
    expect(received).toHaveLength(1);
    expect(await recorded("password.link")).toEqual([
      { actor: "nobody", outcome: "DONE", object: `staff:${ana}`, detail: {} },
      { actor: "nobody", outcome: "REFUSED", object: null, detail: {} },
    ]);
  });

  it("sets no password for a disabled person or one of single sign-on", async () => {
    await db.update(staff).set({ passwordHash: null });
    await sentLink();
    await db.update(staff).set({ passwordHash: "none", disabledAt: sql`clock_timestamp()` });
    await sentLink();
    expect(received).toEqual([]);
    expect(await recorded("password.link")).toMatchObject([{ outcome: "REFUSED" }, { outcome: "REFUSED" }]);
  });

  it("sends at most three mails an hour to an account, without saying so", async () => {
    for (let n = 0; n < 5; n += 1) {
      expect(await ask(EMAIL, { ...device, addressHash: `bot-${n}` })).toBe("asked");
      await answersGiven();
    }
    expect(received).toHaveLength(3);
    await db.update(signInTry).set({ triedAt: sql`${signInTry.triedAt} - interval '1 hour'` });
    await sentLink();
    expect(received).toHaveLength(4);
  });

  it("slows an address after twenty requests in fifteen minutes", async () => {
    const answers: unknown[] = [];
    for (let n = 0; n < 22; n += 1) answers.push(await ask(`a${n}@aurora.example`));
    expect(answers.filter((answer) => answer === "asked")).toHaveLength(20);
    expect(answers.at(-1)).toEqual({ waitMs: expect.any(Number) });
  });

  it("says when no mail server is set up", async () => {
    givenEnv();
    expect(await ask()).toBe("off");
    expect(afterwards).toEqual([]);
  });

  it("leaves no address in the log when the mail cannot be sent", async () => {
    const error = vi.spyOn(log, "error").mockImplementation(() => undefined);
    givenEnv({ mail: { server: new URL("smtp://127.0.0.1:1"), from: "desk@aurora.example" } });
    await ask();
    await answersGiven();
    expect(error).toHaveBeenCalledOnce();
    expect(JSON.stringify(error.mock.calls)).not.toContain(EMAIL);
  });
});
