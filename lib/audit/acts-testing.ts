import { createAuthenticator } from "@/lib/auth/passkey-testing";
import { beginPasskey, registerPasskey } from "@/lib/auth/own-factors";
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { generateSync } from "otplib";
import { givenFixture } from "@/lib/approvals/testing";
import { confirmEnrolment, startEnrolment } from "@/lib/auth/factor";
import { hashPassword } from "@/lib/auth/password";
import type { Role } from "@/lib/auth/permission";
import { findSession, openSessionFor, type Session } from "@/lib/auth/sessions";
import { STANDARD_RULES } from "@/lib/kyc/case-rules";
import { decisionOn, givenOwnCase } from "@/lib/kyc/testing";
import { givenAccount, givenOnboarding } from "@/lib/privacy/testing";
import { staff } from "@/lib/store/schema";
import { givenEnv, givenStaff } from "@/lib/testing";
import { ACCOUNT_ACTS } from "./account-testing";
import { CASEWORK_ACTS } from "./casework-testing";
import { ONBOARDING_ACTS } from "./onboarding-testing";
import { PEOPLE_ACTS } from "./people-testing";
import { DOSSIER_ACTS } from "./dossier-testing";
import { QUEUE_ACTS } from "./queue-testing";
import { START_ACTS } from "./start-testing";
import { TRANSFER_ACTS } from "./transfer-testing";
import { TRIAGE_ACTS } from "./triage-testing";

export const PASSWORD = "uma senha que so eu sei";
const CPF = "52998224725";
const NEW = "outra frase que so eu sei";

/** Who does it, and with what. */
export type Readied = { by: Session | null; input: unknown };

export type Stage = Awaited<ReturnType<typeof givenStage>>;

/** A desk of two tenants, with an admin and somebody of support whom the admin manages. */
export async function givenStage() {
  const fixture = await givenFixture();
  const { db } = fixture;
  const [aurora] = givenEnv().tenants;
  givenEnv({ tenants: [aurora, { ...aurora, clientId: "boreal", name: "Boreal" }] });
  const admin = await givenStaff(db, "admin");
  const person = await givenStaff(db, "support");

  /** A living session, just proven. */
  async function seat(staffId: string, tenant = "aurora"): Promise<Session> {
    const opening = { staffId, tenant, how: "password", secondFactor: true } as const;
    const session = await findSession(await db.transaction((tx) => openSessionFor(tx, opening)));
    if (session === null) throw new Error("the session did not open");
    return session;
  }
  const seatOf = async (role: Role) => seat(await givenStaff(db, role));
  const manager = { id: admin, tenant: "aurora" };

  async function withPassword(staffId: string): Promise<void> {
    const passwordHash = await hashPassword(PASSWORD);
    await db.update(staff).set({ passwordHash }).where(eq(staff.id, staffId));
  }
  async function withFactor(session: Session): Promise<Session> {
    const { secret } = await startEnrolment(db, session.staffId, session.email);
    const code = generateSync({ secret, epoch: Date.now() / 1000 });
    await db.transaction((tx) => confirmEnrolment(tx, session, code));
    return session;
  }
  return { ...fixture, admin, person, manager, seat, seatOf, withPassword, withFactor };
}

const POLICY = {
  intentId: randomUUID(),
  kind: "transfer.internal",
  version: 0,
  amount: null,
  expiresAfterHours: 24,
} as const;

export type Act = (stage: Stage) => Promise<Readied>;

const onApprovalRequest =
  (who: "maker" | "approver", more: () => object = () => ({})): Act =>
  async (stage) => {
    const approvalId = await stage.propose();
    const by = await stage.seat(who === "maker" ? stage.makerId : stage.approverId);
    return { by, input: { approvalId, ...more() } };
  };

const proving =
  (typed: string): Act =>
  async ({ seat, person, withPassword }) => {
    await withPassword(person);
    return { by: await seat(person), input: typed };
  };

const changing =
  (current: string): Act =>
  async ({ seat, person, withPassword }) => {
    await withPassword(person);
    await seat(person);
    return { by: await seat(person), input: { current, next: NEW } };
  };

const revealing =
  (kind: "account" | "onboarding"): Act =>
  async ({ db, seat, person }) => {
    const id = await (kind === "account" ? givenAccount(db, CPF) : givenOnboarding(db, CPF));
    return { by: await seat(person), input: { kind, id, reason: "service", note: "Protocolo 8731, ao telefone" } };
  };

/** Each way in which an action writes: one that is missing fails the test. */
export const ACTS: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  ...ACCOUNT_ACTS,
  ...CASEWORK_ACTS,
  ...DOSSIER_ACTS,
  ...QUEUE_ACTS,
  ...START_ACTS,
  ...TRANSFER_ACTS,
  ...TRIAGE_ACTS,
  ...ONBOARDING_ACTS,
  ...PEOPLE_ACTS,
  "approvals.authoriseApproval": { "an authorisation": onApprovalRequest("approver") },
  "approvals.commentOnApproval": {
    "a comment": onApprovalRequest("maker", () => ({ commentId: randomUUID(), text: "Segue o contrato" })),
  },
  "approvals.refuseApproval": { "a refusal": onApprovalRequest("approver", () => ({ reason: "Falta o contrato" })) },
  "approvals.setApprovalPolicy": {
    "a change of the policy": async ({ seat, admin }) => ({
      by: await seat(admin),
      input: { ...POLICY, rule: "always" },
    }),
    "a proposal of a looser one": async (stage) => {
      await givenStaff(stage.db, "admin");
      return { by: await stage.seat(stage.admin), input: { ...POLICY, rule: "never" } };
    },
  },
  "approvals.withdrawApproval": { "a withdrawal": onApprovalRequest("maker") },
  "auth.endOtherSessions": {
    "ending one's other sessions": async ({ seat, person }) => {
      await seat(person);
      return { by: await seat(person), input: null };
    },
  },
  "auth.endOwnSession": {
    "ending one of one's sessions": async ({ seat, person }) => {
      const { ref } = await seat(person);
      return { by: await seat(person), input: ref };
    },
  },
  "auth.proveSelf": {
    "a proof": proving(PASSWORD),
    "a refused proof": proving("nao e esta"),
    "a refused passkey": async ({ seat, person, withFactor }) => ({
      by: await withFactor(await seat(person)),
      input: createAuthenticator().answer({ challenge: "made-up" }),
    }),
    "a refused code": async ({ seat, person, withFactor }) => ({
      by: await withFactor(await seat(person)),
      input: "000000",
    }),
  },
  "auth.addPasskey": {
    "a new passkey": async ({ seat, person, withFactor }) => {
      await seat(person);
      const by = await withFactor(await seat(person));
      return { by, input: createAuthenticator().register(await beginPasskey(by)) };
    },
    "a refused passkey": async ({ seat, person, withFactor }) => ({
      by: await withFactor(await seat(person)),
      input: createAuthenticator().register({ challenge: "made-up" }),
    }),
  },
  "auth.removePasskey": {
    "the removal of a passkey": async ({ seat, person, withFactor }) => {
      const by = await withFactor(await seat(person));
      const made = createAuthenticator().register(await beginPasskey(by));
      await registerPasskey(by, made);
      await seat(person);
      return { by, input: made.passkey };
    },
  },
  "auth.changePassword": {
    "a change of password": changing(PASSWORD),
    "a refused change of password": changing("nao e esta"),
  },
  "auth.disableFactor": {
    "dropping the second factor": async ({ seat, person, withFactor }) => {
      await seat(person);
      return { by: await withFactor(await seat(person)), input: null };
    },
    "a refused dropping of it": async ({ seatOf, withFactor }) => ({
      by: await withFactor(await seatOf("finance")),
      input: null,
    }),
  },
  "auth.renewRecoveryCodes": {
    "new recovery codes": async ({ seat, person, withFactor }) => ({
      by: await withFactor(await seat(person)),
      input: null,
    }),
  },
  "kyc.changeRules": {
    "a change of the KYC rules": async ({ seat, admin }) => ({
      by: await seat(admin),
      input: { ...STANDARD_RULES, dueSoonHours: 4, version: 0 },
    }),
  },
  "kyc.decideCase": {
    "a KYC decision": async ({ db, service, seatOf }) => {
      const by = await seatOf("compliance");
      return { by, input: decisionOn(await givenOwnCase(db, service, by.staffId)) };
    },
  },
  "privacy.revealDocument": {
    "showing the document of an account": revealing("account"),
    "showing that of an onboarding": revealing("onboarding"),
  },
};

/** What puts nothing on record, and why. */
export const UNRECORDED: Readonly<Record<string, string>> = {
  "auth.startEnrolment": "a secret that was shown protects nothing before its first code, and that is on record",
  "auth.startRequiredEnrolment": "as above",
  "auth.startPasskey": "a challenge is nothing before its answer, and that is on record",
  "auth.askPasskey": "as above",
  "auth.askPasskeyAtStep": "as above",
  "onboarding.checkAccount": "tells whoever typed it what is wrong with it, and asks nobody",
  "onboarding.saveAccountDraft": "as a case's draft",
  "transfers.saveTransferDraft": "as a case's draft",
  "search.search": "shows no more than the lists do to the same people; what is opened from it is on record",
  "onboarding.findOnboarding": "shows no more than the queue does to the same people",
  "kyc.findLikeCase": "shows no more than the queue does to the same people",
  "kyc.saveStartDraft": "what somebody has typed and not sent: nobody else sees it, and it goes within a week",
  "preferences.setLocale": "a cookie of the browser",
  "preferences.setShortcuts": "a cookie of the browser",
  "preferences.setTheme": "a cookie of the browser",
  "staff.openPasswordLink": "as staff.openInvitation",
  "staff.openInvitation": "a read by whoever holds the link; what comes of it is on record",
};
