import { eq, sql } from "drizzle-orm";
import { generateSync } from "otplib";
import { beforeEach, describe, expect, it } from "vitest";
import { beginPasskey, dropFactor, dropPasskey, registerPasskey } from "@/lib/security/own-factors";
import { auditEvent } from "@/lib/db/tables/audit";
import { unseal } from "@/lib/db/seal";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { askAtStep, beginSecondStep, enterByFactor, readStepWay } from "./entry";
import { confirmEnrolment, clearFactor, startEnrolment, stepUp } from "./factor";
import { createAuthenticator } from "@/test/support/auth";
import { askForPasskey, listPasskeys, MAX_PASSKEYS, type PasskeyAnswer } from "./passkeys";
import { passkeyChallenge, staffPasskey, staffSession } from "@/lib/db/tables/auth";
import { findSession, openSessionFor, type Session } from "./sessions";

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

async function seat(staffId: string): Promise<Session> {
  const opening = { staffId, tenant: "aurora", how: "password", secondFactor: true } as const;
  const session = await findSession(await db.transaction((tx) => openSessionFor(tx, opening)));
  if (session === null) throw new Error("no session");
  return session;
}

/** A signed-in person with an app. */
async function givenPerson(): Promise<Session> {
  const session = await seat(await givenStaff(db, "finance"));
  const { secret } = await startEnrolment(db, session.staffId, session.email);
  const code = generateSync({ secret, epoch: Date.now() / 1000 });
  await db.transaction((tx) => confirmEnrolment(tx, session, code));
  return session;
}

async function withPasskey(session: Session) {
  const authenticator = createAuthenticator();
  expect(await registerPasskey(session, authenticator.register(await beginPasskey(session)))).toBe("done");
  return authenticator;
}

async function asked(session: Session) {
  const request = await askForPasskey(db, session);
  if (request === null) throw new Error("no passkey to ask for");
  return request;
}

async function halfWayIn({ staffId }: Session) {
  const step = await beginSecondStep(db, staffId, "password");
  const request = await askAtStep(step);
  if (request === null) throw new Error("no passkey to ask for");
  return { step, request };
}

const outcomes = async (code: string) =>
  (await db.select().from(auditEvent).where(eq(auditEvent.code, code)).orderBy(auditEvent.seq)).map(
    ({ outcome }) => outcome,
  );

describe("registering a passkey", () => {
  it("registers a passkey for its person, host and origin; other sessions end", async () => {
    const session = await givenPerson();
    const other = await seat(session.staffId);
    const request = await beginPasskey(session);
    expect(request).toMatchObject({
      rp: { id: "localhost" },
      user: { name: session.email },
      authenticatorSelection: { userVerification: "required" },
    });
    expect(await registerPasskey(session, createAuthenticator().register(request))).toBe("done");
    expect(await listPasskeys(db, session.staffId)).toMatchObject([{ name: "Notebook", usedAt: null }]);
    const [ended] = await db.select().from(staffSession).where(eq(staffSession.idHash, other.idHash));
    expect(ended?.endReason).toBe("factor-changed");
    expect(await outcomes("passkey.add")).toEqual(["DONE"]);
  });

  it("requires an authenticator app before a passkey", async () => {
    const session = await seat(await givenStaff(db, "support"));
    await expect(beginPasskey(session)).rejects.toMatchObject({ kind: "conflict" });
  });

  it.each([
    ["made at another origin", { origin: "https://retaguarda.example.evil" }],
    ["made for another host", { rpId: "evil.example" }],
    ["whose user was not verified", { isVerified: false }],
  ])("refuses %s and audits it", async (_, askew) => {
    const session = await givenPerson();
    const made = createAuthenticator().register(await beginPasskey(session), askew);
    expect(await registerPasskey(session, made)).toBe("refused");
    expect(await listPasskeys(db, session.staffId)).toEqual([]);
    expect(await outcomes("passkey.add")).toEqual(["REFUSED"]);
  });

  it("accepts a passkey's answer once, in its session, within five minutes", async () => {
    const session = await givenPerson();
    const made = createAuthenticator().register(await beginPasskey(session));
    const other = await seat(session.staffId);
    expect(await registerPasskey(other, made)).toBe("refused");
    expect(await registerPasskey(session, made)).toBe("done");
    await dropPasskey(session, made.passkey);
    expect(await registerPasskey(session, made)).toBe("refused");
    const late = createAuthenticator().register(await beginPasskey(session));
    await db.update(passkeyChallenge).set({ expiresAt: sql`clock_timestamp()` });
    expect(await registerPasskey(session, late)).toBe("refused");
  });

  it("limits a person to ten passkeys and refuses another person's", async () => {
    const session = await givenPerson();
    const other = await givenPerson();
    const authenticator = await withPasskey(other);
    const taken = authenticator.register(await beginPasskey(session));
    expect(await registerPasskey(session, taken)).toBe("refused");
    for (let held = 0; held < MAX_PASSKEYS; held += 1) await withPasskey(session);
    const eleventh = createAuthenticator().register(await beginPasskey(session));
    expect(await registerPasskey(session, eleventh)).toBe("refused");
  });

  it("seals a passkey to its row, so that a moved row opens nothing", async () => {
    const session = await givenPerson();
    await withPasskey(session);
    const [row] = await db.select().from(staffPasskey);
    const place = (id: string) => ({ column: "staff_passkey.public_key_sealed", row: [session.staffId, id] }) as const;
    expect(unseal(row?.publicKeySealed ?? "", place(row?.id ?? ""))).toMatch(/^[\w-]{100,}$/);
    expect(() => unseal(row?.publicKeySealed ?? "", place("another"))).toThrow(/./);
  });
});

describe("signing in by a passkey", () => {
  it("opens a session with a second factor, by a passkey, for its own step", async () => {
    const session = await givenPerson();
    const authenticator = await withPasskey(session);
    const { step, request } = await halfWayIn(session);
    expect(await readStepWay(step)).toBe("passkey");
    const entered = await enterByFactor(step, authenticator.answer(request));
    if (typeof entered === "string" || "waitMs" in entered) throw new Error("nobody came in");
    expect(await findSession(entered.sessionId)).toMatchObject({ staffId: session.staffId, secondFactor: true });
    const [used] = await listPasskeys(db, session.staffId);
    expect(used?.usedAt).not.toBeNull();
  });

  it("offers passkeys only to people who have one", async () => {
    const session = await givenPerson();
    const step = await beginSecondStep(db, session.staffId, "password");
    expect(await readStepWay(step)).toBe("code");
    expect(await askAtStep(step)).toBeNull();
    expect(await askAtStep("made-up")).toBeNull();
  });

  const refusals: Record<string, (at: { session: Session; step: string }) => Promise<PasskeyAnswer>> = {
    "a challenge whose first answer was wrong": async ({ session, step }) => {
      const authenticator = await withPasskey(session);
      const answer = authenticator.answer((await askAtStep(step)) ?? { challenge: "" });
      const { signature } = authenticator.answer({ challenge: "another" });
      expect(await enterByFactor(step, { ...answer, signature })).toBe("wrong");
      return answer;
    },
    "a challenge that was superseded": async ({ session, step }) => {
      const authenticator = await withPasskey(session);
      const answer = authenticator.answer((await askAtStep(step)) ?? { challenge: "" });
      await askAtStep(step);
      return answer;
    },
    "the challenge of another step": async ({ session, step }) => {
      const authenticator = await withPasskey(session);
      await askAtStep(step);
      return authenticator.answer((await halfWayIn(session)).request);
    },
    "another origin": async ({ session, step }) => {
      const authenticator = await withPasskey(session);
      return authenticator.answer((await askAtStep(step)) ?? { challenge: "" }, { origin: "http://localhost:3001" });
    },
    "another host": async ({ session, step }) => {
      const authenticator = await withPasskey(session);
      return authenticator.answer((await askAtStep(step)) ?? { challenge: "" }, { rpId: "evil.example" });
    },
    "a user who was not verified": async ({ session, step }) => {
      const authenticator = await withPasskey(session);
      return authenticator.answer((await askAtStep(step)) ?? { challenge: "" }, { isVerified: false });
    },
    "a counter that went back": async ({ session, step }) => {
      const authenticator = await withPasskey(session);
      await db.update(staffPasskey).set({ counter: 40 });
      return authenticator.answer((await askAtStep(step)) ?? { challenge: "" }, { counter: 40 });
    },
    "a passkey of somebody else": async ({ session, step }) => {
      await withPasskey(session);
      const foreign = await withPasskey(await givenPerson());
      return foreign.answer((await askAtStep(step)) ?? { challenge: "" });
    },
    "a signature that is not its own": async ({ session, step }) => {
      const authenticator = await withPasskey(session);
      const { challenge } = (await askAtStep(step)) ?? { challenge: "" };
      return { ...authenticator.answer({ challenge }), signature: authenticator.answer({ challenge: "x" }).signature };
    },
  };

  it.each(Object.entries(refusals))("refuses %s on record and keeps the step open", async (_, give) => {
    const session = await givenPerson();
    const step = await beginSecondStep(db, session.staffId, "password");
    const answer = await give({ session, step });
    const before = (await outcomes("passkey.refused")).length;
    expect(await enterByFactor(step, answer)).toBe("wrong");
    expect(await outcomes("passkey.refused")).toHaveLength(before + 1);
    expect(await readStepWay(step)).toBe("passkey");
  });

  it("counts passkey tries like codes and slows a flood down", async () => {
    const session = await givenPerson();
    const authenticator = await withPasskey(session);
    const { step } = await halfWayIn(session);
    for (let guess = 0; guess < 5; guess += 1) {
      expect(await enterByFactor(step, authenticator.answer({ challenge: "made-up" }))).toBe("wrong");
    }
    await enterByFactor(step, authenticator.answer({ challenge: "made-up" }));
    expect(await enterByFactor(step, authenticator.answer((await askAtStep(step)) ?? { challenge: "" }))).toEqual({
      waitMs: expect.any(Number),
    });
  });
});

describe("proving oneself by a passkey", () => {
  it("renews the session under a new id, once for each challenge", async () => {
    const session = await givenPerson();
    const authenticator = await withPasskey(session);
    const answer = authenticator.answer(await asked(session));
    const proof = await stepUp(session, answer);
    if (typeof proof === "string" || "waitMs" in proof) throw new Error("no proof");
    expect(await findSession(proof.sessionId)).toMatchObject({ isProven: true, secondFactor: true });
    const again = await findSession(proof.sessionId);
    if (again === null) throw new Error("no session");
    expect(await stepUp(again, answer)).toBe("wrong");
    expect(await outcomes("session.step-up")).toEqual(["DONE", "REFUSED"]);
  });

  it("refuses another session's challenge", async () => {
    const session = await givenPerson();
    const authenticator = await withPasskey(session);
    const other = await seat(session.staffId);
    await asked(session);
    expect(await stepUp(session, authenticator.answer(await asked(other)))).toBe("wrong");
  });
});

describe("passkeys go", () => {
  it("removes a passkey for its owner alone, and audits it", async () => {
    const session = await givenPerson();
    const other = await givenPerson();
    await withPasskey(session);
    const [{ id } = { id: "" }] = await listPasskeys(db, session.staffId);
    expect(await dropPasskey(other, id)).toBe(false);
    expect(await dropPasskey(session, id)).toBe(true);
    expect(await listPasskeys(db, session.staffId)).toEqual([]);
    expect(await outcomes("passkey.remove")).toEqual(["DONE"]);
  });

  it("removes passkeys with the app when the factor is reset or turned off", async () => {
    const session = await givenPerson();
    await withPasskey(session);
    await db.transaction((tx) => clearFactor(tx, session.staffId));
    expect(await db.select().from(staffPasskey)).toEqual([]);
    expect(await dropFactor(await givenPerson())).toBe("required");
  });
});
