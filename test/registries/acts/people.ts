import { beginPasskey, registerPasskey } from "@/lib/security/own-factors";
import { createAuthenticator } from "@/test/support/auth";
import { randomUUID } from "node:crypto";
import { staffMembership } from "@/lib/db/tables/auth";
import { revealAlarm } from "@/lib/db/tables/privacy";
import { STANDARD_BOUNDS } from "@/lib/privacy/alarm-view";
import { webhookEvent } from "@/lib/db/tables/webhooks";
import { lookupHash, seal } from "@/lib/db/seal";
import { env } from "@/lib/settings/env";
import { civilDaysAgo } from "@/lib/text/time";
import { ReceivedFilter } from "@/lib/webhooks/inputs";
import { startReplay } from "@/lib/webhooks/replay";
import { orderRoles } from "@/lib/staff/approvals";
import { invite } from "@/lib/staff/invitations";
import { issuePasswordLink } from "@/lib/staff/password-links";
import { disablePerson } from "@/lib/staff/people";
import { addStaff } from "@/lib/staff/records";
import { actorOf, givenEnv, givenStaff } from "@/test/support/console";
import { type Act, type Acts, PASSWORD, type Stage } from "@/test/support/stage";

const NEW = "outra frase que so eu sei";
const NEWCOMER = { email: "nova@aurora.example", name: "Nova Lima", roles: ["auditor" as const] };

/** An admin's act on a person whom `ready` may prepare. */
const managing = (input: object = {}, ready: Act | null = null): Act =>
  async function act(stage) {
    await ready?.(stage);
    return { by: await stage.seat(stage.admin), input: { staffId: stage.person, ...input } };
  };

const enrolled: Act = async ({ seat, person, withFactor }) => ({
  by: await withFactor(await seat(person)),
  input: null,
});

/** The same for an act that needs a second admin. */
const proposing = (input: object = {}): Act =>
  managing({ intentId: randomUUID(), ...input }, async ({ db, seat, person, withFactor }) => {
    await givenStaff(db, "admin");
    return { by: await withFactor(await seat(person)), input: null };
  });

const onAdmins =
  (more: () => object = () => ({})): Act =>
  async ({ db, admin, person, seat }) => {
    const second = await givenStaff(db, "admin");
    const maker = actorOf("admin", admin, "staff:manage");
    const order = {
      intentId: randomUUID(),
      staffId: person,
      roles: ["finance" as const],
      expected: ["support" as const],
    };
    const proposed = await orderRoles(maker, order);
    if (proposed.state !== "PROPOSED") throw new Error(`it was ${proposed.state}`);
    return { by: await seat(second), input: { approvalId: proposed.approvalId, ...more() } };
  };

const onAlarm =
  (more: object): Act =>
  async ({ db, seat, admin, person }) => {
    const alarmId = randomUUID();
    const opened = { cause: "hour", reveals: 21, bound: 20, openedAt: new Date() } as const;
    await db.insert(revealAlarm).values({ tenant: "aurora", id: alarmId, actor: person, ...opened });
    return { by: await seat(admin), input: { alarmId, ...more } };
  };

const onInvitation: Act = async (stage) => {
  const { id } = await invite(stage.db, stage.manager, NEWCOMER);
  return { by: await stage.seat(stage.admin), input: { invitationId: id } };
};

const proposingInvitation: Act = async ({ db, seat, admin }) => {
  await givenStaff(db, "admin");
  return { by: await seat(admin), input: { intentId: randomUUID(), ...NEWCOMER, roles: ["approver"] } };
};

/** No mail server listens there: the audit row is written before the attempt. */
const asking =
  (addressOf: (stage: Stage) => string): Act =>
  async (stage) => {
    givenEnv({ tenants: env().tenants, mail: { server: new URL("smtp://127.0.0.1:1"), from: "desk@aurora.example" } });
    return { by: null, input: { email: addressOf(stage) } };
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

async function givenUpDelivery({ db }: Stage): Promise<{ delivery: string; filter: ReceivedFilter; upTo: number }> {
  const [tenant, id] = ["aurora", randomUUID()] as const;
  const body = JSON.stringify({ onBoardingId: "nowhere-at-all" });
  const bodySealed = seal(body, { column: "webhook_event.body_sealed", row: [tenant, id] });
  const said = { event: "onboarding-create", bodyHash: lookupHash(body), bodySealed, sizeBytes: body.length };
  const named = { state: "GIVEN_UP", wakes: "onboarding", hintKey: "key", isByPreviousSecret: false } as const;
  const [stored] = await db
    .insert(webhookEvent)
    .values({ tenant, id, ...said, ...named })
    .returning({ seq: webhookEvent.seq });
  return { delivery: id, filter: ReceivedFilter.parse({}), upTo: stored?.seq ?? 0 };
}

export const PEOPLE_ACTS: Acts = {
  "webhooks.startDeliveryReplay": {
    "looking at a delivery again": async (stage) => ({
      by: await stage.seatOf("admin"),
      input: { ...(await givenUpDelivery(stage)), id: randomUUID() },
    }),
  },
  "webhooks.stopDeliveryReplay": {
    "the stop of looking at deliveries again": async (stage) => {
      const by = await stage.seatOf("admin");
      const id = randomUUID();
      const replayer = actorOf("admin", by.staffId, "webhooks:replay");
      await startReplay(replayer, { ...(await givenUpDelivery(stage)), id });
      return { by, input: { id } };
    },
  },
  "calls.checkAccessToken": {
    "a check of the access token": async ({ seatOf }) => ({ by: await seatOf("admin"), input: null }),
  },
  "conformance.exploreProvider": {
    "a question of the explorer": async ({ seatOf }) => ({
      by: await seatOf("admin"),
      input: { read: "listWebhooks", values: {} },
    }),
  },
  "lab.playScenario": {
    "a scenario of the lab": async ({ seatOf }) => {
      givenEnv({ tenants: env().tenants, lab: { baseUrl: "http://127.0.0.1:1", token: "of nobody" } });
      return { by: await seatOf("admin"), input: { scenario: "hold-next", values: {} } };
    },
  },
  "calls.revokeAccessToken": {
    "the end of the access token": async ({ seatOf }) => ({ by: await seatOf("admin"), input: null }),
  },
  "staff.acceptInvitation": {
    "accepting an invitation": async ({ db, manager }) => {
      const { token } = await invite(db, manager, NEWCOMER);
      return { by: null, input: { token, name: "Nova Lima", password: PASSWORD } };
    },
  },
  "writes.authoriseAccess": { "an authorisation by a second admin": onAdmins() },
  "staff.refuseAccess": { "a refusal by one": onAdmins(() => ({ reason: "Falta o contrato" })) },
  "staff.disable": { "disabling a person": managing() },
  "staff.enable": {
    "letting a person in again": managing({}, async (stage) => {
      await disablePerson(stage.db, stage.manager, stage.person);
      return { by: null, input: null };
    }),
  },
  "staff.forgotPassword": {
    "a link for a forgotten password": asking((stage) => `${stage.person}@aurora.example`),
    "a refused one, for nobody's address": asking(() => "ninguem@aurora.example"),
  },
  "staff.issueLink": { "a link for a person's forgotten password": managing({}, enrolled) },
  "staff.setPassword": {
    "a new password by a link": async ({ db, manager, person, seat }) => {
      const { token } = await issuePasswordLink(db, { manager, staffId: person }, false);
      await seat(person);
      return { by: null, input: { token, password: NEW } };
    },
  },
  "staff.endSessions": {
    "ending a person's sessions": managing({}, async ({ seat, person }) => ({ by: await seat(person), input: null })),
  },
  "staff.invitePerson": {
    "an invitation": async ({ seat, admin }) => ({
      by: await seat(admin),
      input: { intentId: randomUUID(), ...NEWCOMER },
    }),
    "a proposal to invite an approver": proposingInvitation,
  },
  "staff.joinByInvitation": {
    "joining another tenant": async ({ db, manager, seat }) => {
      const { email, name } = NEWCOMER;
      const known = { email, name, password: PASSWORD, roles: ["support" as const], tenants: ["boreal"] };
      const added = await addStaff(db, known);
      const { token } = await invite(db, manager, NEWCOMER);
      return { by: await seat(added?.id ?? "", "boreal"), input: { token } };
    },
  },
  "staff.renew": { "a renewed invitation": onInvitation },
  "staff.resetSecondFactor": {
    "proposing to take a person's second factor away": proposing(),
  },
  "privacy.changeAlarmBounds": {
    "a change of the bounds of alarms": async ({ seat, admin }) => ({
      by: await seat(admin),
      input: { ...STANDARD_BOUNDS, perHour: 15, version: 0 },
    }),
  },
  "privacy.takeAlarm": { "taking an alarm": onAlarm({ seen: null }) },
  "privacy.endAlarm": { "the end of an alarm": onAlarm({ note: "Conferido" }) },
  "security.changeAddressList": {
    "a list of the addresses from which people may work": async ({ seat, admin }) => ({
      by: await seat(admin),
      input: { addresses: "203.0.113.0/24", version: 0 },
    }),
  },
  "staff.reviewAccess": {
    "a review of who has access": async ({ seat, admin }) => ({
      by: await seat(admin),
      input: { intentId: randomUUID(), note: "Conferido", nextOn: civilDaysAgo(-90), seen: null },
    }),
  },
  "staff.revoke": { "a revoked invitation": onInvitation },
  "staff.setRoles": {
    "a change of roles": managing({ intentId: randomUUID(), roles: ["auditor"], expected: ["support"] }),
    "a proposal to make somebody finance": proposing({ roles: ["finance"], expected: ["support"] }),
  },
  "staff.switchTenant": {
    "a change of tenant": async ({ db, seat, person }) => {
      await db.insert(staffMembership).values({ staffId: person, tenant: "boreal", roles: ["support"] });
      return { by: await seat(person), input: "boreal" };
    },
    "a refused change of tenant": async ({ seat, person }) => ({ by: await seat(person), input: "boreal" }),
  },
  "security.endOtherSessions": {
    "ending one's other sessions": async ({ seat, person }) => {
      await seat(person);
      return { by: await seat(person), input: null };
    },
  },
  "security.endOwnSession": {
    "ending one of one's sessions": async ({ seat, person }) => {
      const { ref } = await seat(person);
      return { by: await seat(person), input: ref };
    },
  },
  "security.proveSelf": {
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
  "security.addPasskey": {
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
  "security.removePasskey": {
    "the removal of a passkey": async ({ seat, person, withFactor }) => {
      const by = await withFactor(await seat(person));
      const made = createAuthenticator().register(await beginPasskey(by));
      await registerPasskey(by, made);
      await seat(person);
      return { by, input: made.passkey };
    },
  },
  "security.changePassword": {
    "a change of password": changing(PASSWORD),
    "a refused change of password": changing("nao e esta"),
  },
  "security.disableFactor": {
    "dropping the second factor": async ({ seat, seatOf, withFactor }) => {
      const { staffId } = await seatOf("auditor");
      return { by: await withFactor(await seat(staffId)), input: null };
    },
    "a refused dropping of it": async ({ seatOf, withFactor }) => ({
      by: await withFactor(await seatOf("finance")),
      input: null,
    }),
  },
  "security.renewRecoveryCodes": {
    "new recovery codes": async ({ seat, person, withFactor }) => ({
      by: await withFactor(await seat(person)),
      input: null,
    }),
  },
};
