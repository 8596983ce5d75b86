import { asc, eq, sql } from "drizzle-orm";
import { generateSync } from "otplib";
import { beforeEach, describe, expect, it } from "vitest";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { AURORA } from "@/test/support/service/harness";
import {
  confirmEnrolment,
  factorOf,
  isEnrolled,
  makeRecoveryCodes,
  RECOVERY_CODES,
  clearFactor,
  startEnrolment,
  takeFactor,
} from "./factor";
import { signInTry, staffRecoveryCode, staffTotp } from "@/lib/db/tables/auth";
import type { Entrant } from "./sign-in";
import type { CodeOrigin } from "./sign-in-try";

const FREE_TRIES = 5;
const HOME: CodeOrigin = { address: "home", isKnown: true };
const OFFICE: CodeOrigin = { address: "office", isKnown: false };
const SESSION: CodeOrigin = { session: "a-session" };
const elsewhere = (n: number): CodeOrigin => ({ address: `bot-${n}`, isKnown: false });

let db: Db;
let ana: Entrant;
let secret = "";

/** The app's code for now, or that many steps later. */
const code = (steps = 0, of = secret) => generateSync({ secret: of, epoch: Date.now() / 1000 + 30 * steps });
const take = (typed: string, origin: CodeOrigin = HOME) =>
  db.transaction((tx) => takeFactor(tx, ana, { given: typed, idHash: "step", origin }));
const letPass = (minutes: number) =>
  db.update(signInTry).set({ triedAt: sql`${signInTry.triedAt} - ${minutes} * interval '1 minute'` });
/** How many of that many wrong codes were checked. */
async function guess(times: number, originOf: (n: number) => CodeOrigin): Promise<number> {
  let lookedAt = 0;
  for (let n = 0; n < times; n += 1) lookedAt += (await take("000000", originOf(n))) === "wrong" ? 1 : 0;
  return lookedAt;
}
const tooMany = { waitMs: expect.any(Number) };
const confirm = (typed: string) => db.transaction((tx) => confirmEnrolment(tx, ana, typed));
const recorded = async (event: string) =>
  (await db.select().from(auditEvent).where(eq(auditEvent.code, event)).orderBy(asc(auditEvent.seq))).map(
    ({ outcome, detail }) => ({ outcome, ...detail }),
  );

/** A person whose app gave its first code long enough ago that the next one is fresh. */
async function enrolled(): Promise<void> {
  secret = (await startEnrolment(db, ana.staffId, "ana@aurora.example")).secret;
  await confirm(code());
  await db.update(staffTotp).set({ lastStep: 0 });
}

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = { staffId: await givenStaff(db, "finance"), tenant: AURORA.clientId };
});

describe("setting a second factor up", () => {
  it("enables a second factor only with the app's first code", async () => {
    secret = (await startEnrolment(db, ana.staffId, "ana@aurora.example")).secret;
    expect(await isEnrolled(db, ana.staffId)).toBe(false);
    expect(await confirm("000000")).toBe(false);
    expect(await isEnrolled(db, ana.staffId)).toBe(false);
    expect(await confirm(code())).toBe(true);
    expect((await factorOf(db, ana.staffId)).since).toBeInstanceOf(Date);
    expect(await recorded("totp.enrol")).toEqual([{ outcome: "REFUSED" }, { outcome: "DONE" }]);
  });

  it("keeps the factor's secret sealed and off the record", async () => {
    await enrolled();
    const [row] = await db.select().from(staffTotp);
    expect(row?.secretSealed).toMatch(/^v2\./);
    expect(row?.candidateSealed).toBeNull();
    expect(JSON.stringify([row, await db.select().from(auditEvent)])).not.toContain(secret);
  });

  it("enrols the last secret shown, for 15 minutes", async () => {
    const first = (await startEnrolment(db, ana.staffId, "ana@aurora.example")).secret;
    secret = (await startEnrolment(db, ana.staffId, "ana@aurora.example")).secret;
    expect(await confirm(code(0, first))).toBe(false);
    await db.update(staffTotp).set({ candidateAt: sql`clock_timestamp() - interval '15 minutes'` });
    expect(await confirm(code())).toBe(false);
  });

  it("keeps the old app valid until the new one has given a code", async () => {
    await enrolled();
    const old = secret;
    await db.transaction((tx) => makeRecoveryCodes(tx, ana));
    secret = (await startEnrolment(db, ana.staffId, "ana@aurora.example")).secret;
    expect(await take(code(0, old))).toBe("totp");
    expect(await confirm(code())).toBe(true);
    expect(await take(code(1, old))).toBe("wrong");
    expect(await factorOf(db, ana.staffId)).toMatchObject({ recoveryCodesLeft: 0 });
  });
});

describe("a code", () => {
  beforeEach(enrolled);

  it("accepts a code once, even within its time", async () => {
    const seen = code();
    expect(await take(seen)).toBe("totp");
    expect(await take(seen)).toBe("wrong");
    expect(await take(code(1))).toBe("totp");
    expect(await recorded("totp.refused")).toEqual([{ outcome: "REFUSED", why: "wrong" }]);
  });

  it("accepts a code once when it is sent many times together", async () => {
    const outcomes = await Promise.all(Array.from({ length: FREE_TRIES }, () => take(code())));
    expect(outcomes.filter((outcome) => outcome === "totp")).toHaveLength(1);
  });

  it("uses up the code of the enrolment", async () => {
    secret = (await startEnrolment(db, ana.staffId, "ana@aurora.example")).secret;
    const first = code();
    await confirm(first);
    expect(await take(first)).toBe("wrong");
  });

  it("allows 16 code guesses in the first hour from one address", async () => {
    let guesses = 0;
    for (let minute = 0; minute < 60; minute += 1) {
      guesses += await guess(minute === 0 ? 8 : 2, () => HOME);
      await letPass(1);
    }
    expect(guesses).toBe(16);
  });

  it("allows 30 code guesses an hour from all new addresses together", async () => {
    expect(await guess(60, elsewhere)).toBe(30);
    expect(await take(code(), elsewhere(99))).toEqual(tooMany);
    await letPass(60);
    expect(await guess(1, elsewhere)).toBe(1);
  });

  it("lets a right code in after the wait, and resets the five tries", async () => {
    for (let tried = 0; tried < FREE_TRIES; tried += 1) await take("000000");
    expect(await take(code())).toEqual(tooMany);
    await letPass(5);
    expect(await take(code())).toBe("totp");
    expect(await take("000000")).toBe("wrong");
  });

  it("lets a code's holder in on a known device while somebody guesses", async () => {
    await guess(60, elsewhere);
    expect(await take(code(), HOME)).toBe("totp");
    expect(await take(code(1), SESSION)).toBe("totp");
  });

  it("lets a code's holder in from a new address while another one guesses", async () => {
    await guess(60, () => elsewhere(0));
    expect(await take(code(), OFFICE)).toBe("totp");
  });

  it("delays no other session of the person when one session guesses", async () => {
    await guess(8, () => SESSION);
    expect(await take(code(), SESSION)).toEqual(tooMany);
    expect(await take(code(), { session: "another" })).toBe("totp");
  });

  it("leaves the shared limit unchanged for a code sent too early", async () => {
    await guess(60, () => elsewhere(0));
    expect(await guess(60, (n) => elsewhere(n + 1))).toBe(25);
  });

  it("refuses a code of a person without a second factor", async () => {
    await db.transaction((tx) => clearFactor(tx, ana.staffId));
    expect(await take(code())).toBe("wrong");
  });
});

describe("a recovery code", () => {
  let codes: string[] = [];
  beforeEach(async () => {
    await enrolled();
    codes = await db.transaction((tx) => makeRecoveryCodes(tx, ana));
  });

  it("issues ten recovery codes of 80 random bits, stored as hashes", async () => {
    expect(new Set(codes).size).toBe(RECOVERY_CODES);
    for (const one of codes) expect(one).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
    const written = JSON.stringify(await db.select().from(staffRecoveryCode));
    for (const one of codes) expect(written).not.toContain(one.replaceAll("-", ""));
  });

  it("accepts a recovery code once however it is typed, and counts the rest", async () => {
    const [first = "", second = ""] = codes;
    expect(await take(` ${first.toUpperCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")} `)).toBe(
      "recovery-code",
    );
    expect(await take(first)).toBe("wrong");
    expect(await take(second)).toBe("recovery-code");
    expect(await recorded("recovery-code.use")).toEqual([
      { outcome: "DONE", left: 9 },
      { outcome: "DONE", left: 8 },
    ]);
    expect(await factorOf(db, ana.staffId)).toMatchObject({ recoveryCodesLeft: 8 });
  });

  it("accepts a recovery code once when sent many times together", async () => {
    const outcomes = await Promise.all(Array.from({ length: FREE_TRIES }, () => take(codes[0] ?? "")));
    expect(outcomes.filter((outcome) => outcome === "recovery-code")).toHaveLength(1);
  });

  it("refuses old recovery codes after new ones, and another person's", async () => {
    const rui = { staffId: await givenStaff(db, "finance"), tenant: AURORA.clientId };
    const [his = ""] = await db.transaction((tx) => makeRecoveryCodes(tx, rui));
    expect(await take(his)).toBe("wrong");
    await db.transaction((tx) => makeRecoveryCodes(tx, ana));
    expect(await take(codes[0] ?? "")).toBe("wrong");
  });

  it("counts a recovery code as a try like any other code", async () => {
    for (let tried = 0; tried < FREE_TRIES; tried += 1) await take("aaaa-bbbb-cccc-dddd");
    expect(await take(codes[0] ?? "")).toEqual(tooMany);
  });
});
