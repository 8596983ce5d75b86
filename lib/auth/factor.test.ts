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

/** The code that the app shows now, or so many steps from now. */
const code = (steps = 0, of = secret) => generateSync({ secret: of, epoch: Date.now() / 1000 + 30 * steps });
const take = (typed: string, origin: CodeOrigin = HOME) =>
  db.transaction((tx) => takeFactor(tx, ana, { given: typed, idHash: "step", origin }));
const letPass = (minutes: number) =>
  db.update(signInTry).set({ triedAt: sql`${signInTry.triedAt} - ${minutes} * interval '1 minute'` });
/** How many of so many wrong codes were looked at. */
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

/** Somebody whose app has shown its first code, so long ago that the next one is fresh. */
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
  it("takes effect with the first code of the app, and not before", async () => {
    secret = (await startEnrolment(db, ana.staffId, "ana@aurora.example")).secret;
    expect(await isEnrolled(db, ana.staffId)).toBe(false);
    expect(await confirm("000000")).toBe(false);
    expect(await isEnrolled(db, ana.staffId)).toBe(false);
    expect(await confirm(code())).toBe(true);
    expect((await factorOf(db, ana.staffId)).since).toBeInstanceOf(Date);
    expect(await recorded("totp.enrol")).toEqual([{ outcome: "REFUSED" }, { outcome: "DONE" }]);
  });

  it("keeps the secret sealed, and nothing of it on record", async () => {
    await enrolled();
    const [row] = await db.select().from(staffTotp);
    expect(row?.secretSealed).toMatch(/^v2\./);
    expect(row?.candidateSealed).toBeNull();
    expect(JSON.stringify([row, await db.select().from(auditEvent)])).not.toContain(secret);
  });

  it("is about the secret that was shown last, for a quarter of an hour", async () => {
    const first = (await startEnrolment(db, ana.staffId, "ana@aurora.example")).secret;
    secret = (await startEnrolment(db, ana.staffId, "ana@aurora.example")).secret;
    expect(await confirm(code(0, first))).toBe(false);
    await db.update(staffTotp).set({ candidateAt: sql`clock_timestamp() - interval '15 minutes'` });
    expect(await confirm(code())).toBe(false);
  });

  it("keeps the old app in force until the new one has shown a code", async () => {
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

  it("is taken once: what somebody saw over a shoulder is worth nothing", async () => {
    const seen = code();
    expect(await take(seen)).toBe("totp");
    expect(await take(seen)).toBe("wrong");
    expect(await take(code(1))).toBe("totp");
    expect(await recorded("totp.refused")).toEqual([{ outcome: "REFUSED", why: "wrong" }]);
  });

  it("that comes in many times at once is taken once", async () => {
    const outcomes = await Promise.all(Array.from({ length: FREE_TRIES }, () => take(code())));
    expect(outcomes.filter((outcome) => outcome === "totp")).toHaveLength(1);
  });

  it("of the enrolment is used up by it", async () => {
    secret = (await startEnrolment(db, ana.staffId, "ana@aurora.example")).secret;
    const first = code();
    await confirm(first);
    expect(await take(first)).toBe("wrong");
  });

  it("may be guessed 16 times in the first hour from one address", async () => {
    let guesses = 0;
    for (let minute = 0; minute < 60; minute += 1) {
      guesses += await guess(minute === 0 ? 8 : 2, () => HOME);
      await letPass(1);
    }
    expect(guesses).toBe(16);
  });

  it("may be guessed 30 times an hour from all new addresses together", async () => {
    expect(await guess(60, elsewhere)).toBe(30);
    expect(await take(code(), elsewhere(99))).toEqual(tooMany);
    await letPass(60);
    expect(await guess(1, elsewhere)).toBe(1);
  });

  it("that is right after the wait lets in and gives five tries again", async () => {
    for (let tried = 0; tried < FREE_TRIES; tried += 1) await take("000000");
    expect(await take(code())).toEqual(tooMany);
    await letPass(5);
    expect(await take(code())).toBe("totp");
    expect(await take("000000")).toBe("wrong");
  });

  it("lets its holder in on a known device while somebody guesses the password", async () => {
    await guess(60, elsewhere);
    expect(await take(code(), HOME)).toBe("totp");
    expect(await take(code(1), SESSION)).toBe("totp");
  });

  it("lets its holder in from a new address while another one guesses", async () => {
    await guess(60, () => elsewhere(0));
    expect(await take(code(), OFFICE)).toBe("totp");
  });

  it("delays no other session of the person when one session guesses", async () => {
    await guess(8, () => SESSION);
    expect(await take(code(), SESSION)).toEqual(tooMany);
    expect(await take(code(), { session: "another" })).toBe("totp");
  });

  it("that came too early costs nothing of what all addresses have together", async () => {
    await guess(60, () => elsewhere(0));
    expect(await guess(60, (n) => elsewhere(n + 1))).toBe(25);
  });

  it("is nobody's without a second factor", async () => {
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

  it("is one of ten, of 80 random bits, kept as a hash", async () => {
    expect(new Set(codes).size).toBe(RECOVERY_CODES);
    for (const one of codes) expect(one).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
    const written = JSON.stringify(await db.select().from(staffRecoveryCode));
    for (const one of codes) expect(written).not.toContain(one.replaceAll("-", ""));
  });

  it("opens once, however it is typed, and records how many are left", async () => {
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

  it("that comes in many times at once opens once", async () => {
    const outcomes = await Promise.all(Array.from({ length: FREE_TRIES }, () => take(codes[0] ?? "")));
    expect(outcomes.filter((outcome) => outcome === "recovery-code")).toHaveLength(1);
  });

  it("is worth nothing once new ones were made, nor to anybody else", async () => {
    const rui = { staffId: await givenStaff(db, "finance"), tenant: AURORA.clientId };
    const [his = ""] = await db.transaction((tx) => makeRecoveryCodes(tx, rui));
    expect(await take(his)).toBe("wrong");
    await db.transaction((tx) => makeRecoveryCodes(tx, ana));
    expect(await take(codes[0] ?? "")).toBe("wrong");
  });

  it("counts as a try like any other code", async () => {
    for (let tried = 0; tried < FREE_TRIES; tried += 1) await take("aaaa-bbbb-cccc-dddd");
    expect(await take(codes[0] ?? "")).toEqual(tooMany);
  });
});
