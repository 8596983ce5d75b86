import { STANDARD_CALENDAR } from "@/lib/calendar/view";
import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { accountTarget } from "@/lib/accounts/notes";
import { addFile } from "@/lib/notes/file";
import { addNote } from "@/lib/notes/note";
import { STANDARD_RULES } from "@/lib/kyc/standard-rules-view";
import { webviewKey } from "@/lib/kyc/hand-link";
import { caseTarget } from "@/lib/kyc/notes";
import {
  companyOrder,
  decide,
  decisionOn,
  givenCase,
  givenEscalation,
  givenOwnCase,
  givenPutOff,
  givenSuspicion,
  personOrder,
  puttingOff,
  startKyc,
} from "@/test/support/kyc";
import { actorOf, givenStaff } from "@/test/support/console";
import { givenAccount } from "@/test/support/privacy";
import type { Act, Acts, Stage } from "@/test/support/stage";
import { dossier } from "@/lib/db/tables/dossiers";
import { saveOne } from "@/lib/preferences/saved-views";
import { providerIntent } from "@/lib/db/tables/provider";
import { maskDocument } from "@/lib/contract/document";
import { kycStart } from "@/lib/db/tables/kyc";
import { sealSubject } from "@/lib/db/started-case";
import { notHappened } from "@/test/support/outcomes";
import { watchState } from "@/lib/db/tables/watch";
import type { Db } from "@/lib/db/connection";
import { givenIntents, internalOrder, transferInternal } from "@/test/support/transfers";
import { civilMinute } from "@/lib/text/time";
import { givenIntentRows } from "@/test/support/claims";

const text = "Pediu o contrato social por telefone";

const PLACES = {
  kyc: {
    role: "compliance",
    permission: "kyc:note",
    given: (stage: Stage) => givenCase(stage.db),
    targetOf: caseTarget,
  },
  accounts: {
    role: "support",
    permission: "accounts:note",
    given: (stage: Stage) => givenAccount(stage.db, "52998224725"),
    targetOf: accountTarget,
  },
} as const;
type Place = (typeof PLACES)[keyof typeof PLACES];

const noting =
  ({ role, given }: Place): Act =>
  async (stage) => ({
    by: await stage.seatOf(role),
    input: { id: await given(stage), noteId: randomUUID(), text },
  });

const retracting =
  ({ role, permission, given, targetOf }: Place): Act =>
  async (stage) => {
    const by = await stage.seatOf(role);
    const note = { id: await given(stage), noteId: randomUUID() };
    await addNote(actorOf(role, by.staffId, permission), targetOf("aurora", note.id), { noteId: note.noteId, text });
    return { by, input: note };
  };

const removing =
  ({ role, permission, given, targetOf }: Place): Act =>
  async (stage) => {
    const by = await stage.seatOf(role);
    const file = { id: await given(stage), fileId: randomUUID() };
    const sent = { fileId: file.fileId, name: "contrato.pdf", bytes: Buffer.from("%PDF-1.7") };
    await addFile(actorOf(role, by.staffId, permission), targetOf("aurora", file.id), sent);
    return { by, input: { ...file, reason: "Veio o documento de outra pessoa" } };
  };

const whole = { search: "", slice: null };
const bulk = () => ({ bulkId: randomUUID(), selection: { search: whole.search }, slice: whole.slice });

const view = () => ({ id: randomUUID(), area: "kyc" as const, name: "Urgentes", search: "view=due", isDefault: false });

const withView =
  (change: object): Act =>
  async ({ seatOf }) => {
    const by = await seatOf("compliance");
    const { id } = await saveOne(actorOf("compliance", by.staffId, "kyc:read"), view());
    return { by, input: { id, ...change } };
  };

/** An old start with a lost answer, and a case that may be its result. */
async function givenLostStart(db: Db, staffId: string): Promise<{ intentId: string; kycUUID: string }> {
  const tenant = "aurora";
  const { intentId, vatNumber } = personOrder();
  const longAgo = sql`clock_timestamp() - interval '1 hour'`;
  await givenIntentRows(db, {
    tenant,
    id: intentId,
    operation: "/v1/kyc/person",
    object: `kyc-start:${intentId}`,
    isExclusive: false,
    actor: staffId,
    bodyHash: "x",
    key: intentId,
    state: "UNKNOWN",
    attempts: 1,
    mayHaveExecuted: true,
    owner: intentId,
    sendingUntil: longAgo,
    createdAt: longAgo,
    firstSentAt: longAgo,
  });
  const subject = { vatNumber, name: "Maria Lima", birthDate: "07-09-1984", motherName: "Josefa Lima" };
  const sealed = sealSubject({ table: "kyc_start", row: [tenant, intentId] }, subject);
  const check = { kycType: "PF", model: "BASIC", documentscopy: false, isRepeat: false } as const;
  await db.insert(kycStart).values({ tenant, intentId, ...check, ...sealed, staffId, createdAt: longAgo });
  const swept = { asOf: sql`clock_timestamp()`, memory: { wholeSince: new Date().toISOString() } };
  await db
    .insert(watchState)
    .values({ tenant, name: "kyc", ...swept })
    .onConflictDoUpdate({ target: [watchState.tenant, watchState.name], set: swept });
  return { intentId, kycUUID: await givenCase(db, { vatNumber: maskDocument(vatNumber) }) };
}

/** A transfer with a lost answer that is no longer checked. */
async function givenLostTransfer({ db, maker, parties }: Stage): Promise<string> {
  const order = internalOrder(parties, { amount: "10.00" });
  const before = globalThis.retaguardaIntents;
  givenIntents().requestsLost = 100;
  await transferInternal(maker, order).catch(() => undefined);
  globalThis.retaguardaIntents = before;
  await db.update(providerIntent).set({ nextTryAt: null }).where(eq(providerIntent.id, order.intentId));
  return order.intentId;
}

export const CASE_ACTS: Acts = {
  "accounts.addAccountNote": { "a note on an account": noting(PLACES.accounts) },
  "accounts.removeAccountFile": { "removing a file of an account": removing(PLACES.accounts) },
  "accounts.retractAccountNote": { "taking a note on an account back": retracting(PLACES.accounts) },
  "kyc.addCaseNote": { "a note on a case": noting(PLACES.kyc) },
  "kyc.removeCaseFile": { "removing a file": removing(PLACES.kyc) },
  "kyc.retractCaseNote": { "taking a note back": retracting(PLACES.kyc) },
  "kyc.exportDossier": {
    "taking a dossier out": async ({ db, service, seatOf }) => {
      const by = await seatOf("compliance");
      await decide(actorOf("compliance", by.staffId, "kyc:decide"), decisionOn(await startKyc(service)));
      const [sealed] = await db.select().from(dossier);
      const why = { reason: "authority", note: "Ofício 417/2026" } as const;
      return { by, input: { dossierId: sealed?.id ?? "", format: "json", ...why } };
    },
  },
  "kyc.assignCases": {
    "assigning all of a filter": async ({ db, seatOf }) => {
      await givenCase(db);
      const by = await seatOf("compliance");
      return { by, input: { ...bulk(), to: by.staffId } };
    },
  },
  "kyc.tagCases": {
    "tagging all of a filter": async ({ db, seatOf }) => {
      await givenCase(db);
      return { by: await seatOf("compliance"), input: { ...bulk(), tag: "pep", isRemoved: false } };
    },
    "taking a tag off": async ({ db, seatOf }) => {
      await givenCase(db, { tags: ["pep"] });
      return { by: await seatOf("compliance"), input: { ...bulk(), tag: "pep", isRemoved: true } };
    },
  },
  "preferences.changeView": { "renaming a filter": withView({ name: "Outros", isDefault: true }) },
  "preferences.saveView": {
    "keeping a filter": async ({ seatOf }) => ({ by: await seatOf("compliance"), input: view() }),
  },
  "preferences.removeView": { "forgetting a filter": withView({}) },
  "kyc.reviewStart": {
    "a review of a start": async ({ seatOf }) => {
      const { intentId: _intent, seen: _seen, ...input } = personOrder();
      return { by: await seatOf("compliance"), input };
    },
  },
  "kyc.startCase": {
    "starting a person's case": async ({ seatOf }) => ({ by: await seatOf("compliance"), input: personOrder() }),
    "starting a company's case": async ({ seatOf }) => ({ by: await seatOf("compliance"), input: companyOrder() }),
  },
  "kyc.reconcileStart": {
    "the case of a lost start": async ({ db, seatOf }) => {
      const by = await seatOf("compliance");
      return { by, input: await givenLostStart(db, by.staffId) };
    },
  },
  "outcomes.endOutcome": {
    "the end of a lost start": async ({ db, seatOf }) => {
      const by = await seatOf("compliance");
      const { intentId } = await givenLostStart(db, by.staffId);
      return { by, input: notHappened(intentId) };
    },
    "the end of a lost transfer, for a second person": async (stage) => ({
      by: await stage.seat(stage.makerId),
      input: notHappened(await givenLostTransfer(stage)),
    }),
  },
  "outcomes.excludeCandidate": {
    "a candidate of a lost start": async ({ db, seatOf }) => {
      const by = await seatOf("compliance");
      const { intentId, kycUUID: candidate } = await givenLostStart(db, by.staffId);
      return { by, input: { intentId, candidate } };
    },
  },
  "kyc.assignCase": {
    "giving a case to a colleague": async ({ db, seatOf }) => {
      const to = await givenStaff(db, "compliance");
      return { by: await seatOf("compliance"), input: { kycUUID: await givenCase(db), to, from: null } };
    },
    "giving a colleague's case back to the queue": async ({ db, seatOf }) => {
      const from = await givenStaff(db, "compliance");
      const kycUUID = await givenCase(db, { assigneeId: from });
      return { by: await seatOf("compliance"), input: { kycUUID, to: null, from } };
    },
  },
  "kyc.claimCase": {
    "claiming a case": async ({ db, seatOf }) => ({
      by: await seatOf("compliance"),
      input: { kycUUID: await givenCase(db), takeFrom: null },
    }),
    "taking a case over": async ({ db, seatOf }) => {
      const takeFrom = await givenStaff(db, "compliance");
      const kycUUID = await givenCase(db, { assigneeId: takeFrom });
      return { by: await seatOf("compliance"), input: { kycUUID, takeFrom } };
    },
  },
  "kyc.takeNextCase": {
    "taking the next case": async ({ db, seatOf }) => {
      await givenCase(db);
      return { by: await seatOf("compliance"), input: { attemptId: randomUUID() } };
    },
  },
  "kyc.setAway": {
    "going away": async ({ seatOf }) => ({
      by: await seatOf("compliance"),
      input: { until: civilMinute(new Date(Date.now() + 86_400_000)), releases: false },
    }),
  },
  "kyc.handOverWebview": {
    "handing over a case's document check": async ({ db, seatOf }) => {
      const url = "https://verifica.example/w/1";
      const kycUUID = await givenCase(db, { webviews: [{ vatNumber: null, url }] });
      return { by: await seatOf("compliance"), input: { kycUUID, link: webviewKey(url), use: "copied" } };
    },
  },
  "kyc.putOffCase": {
    "putting a case off": async ({ db, seatOf }) => {
      const by = await seatOf("compliance");
      const kycUUID = await givenCase(db, { assigneeId: by.staffId });
      return { by, input: puttingOff(kycUUID) };
    },
  },
  "kyc.bringBackCase": {
    "bringing a case back": async ({ db, seatOf }) => {
      const by = await seatOf("compliance");
      const kycUUID = await givenCase(db, { assigneeId: by.staffId });
      const { putOffId } = await givenPutOff(db, { kycUUID, staffId: by.staffId });
      return { by, input: { kycUUID, putOffId } };
    },
  },
  "kyc.escalateCase": {
    "handing a case to the second level": async ({ db, seatOf }) => {
      const by = await seatOf("compliance");
      const kycUUID = await givenCase(db, { assigneeId: by.staffId });
      return { by, input: { kycUUID, escalationId: randomUUID(), text } };
    },
  },
  "kyc.withdrawEscalation": {
    "taking a case back from the second level": async ({ db, seatOf }) => {
      const by = await seatOf("compliance");
      return { by, input: await givenEscalation(db, by.staffId) };
    },
  },
  "kyc.takeEscalation": {
    "taking up what was handed to the second level": async ({ db, seatOf }) => {
      const order = await givenEscalation(db, await givenStaff(db, "compliance"));
      return { by: await seatOf("approver"), input: { ...order, takeFrom: null } };
    },
  },
  "kyc.answerEscalation": {
    "answering for the second level": async ({ db, seatOf }) => {
      const by = await seatOf("approver");
      const order = await givenEscalation(db, await givenStaff(db, "compliance"), by.staffId);
      return { by, input: { ...order, answerId: randomUUID(), text } };
    },
  },
  "suspicions.raiseSuspicion": {
    "raising a suspicion": async ({ db, seatOf }) => {
      const kycUUID = await givenCase(db);
      const input = { kycUUID, suspicionId: randomUUID(), occurredOn: "01/07/2024", text };
      return { by: await seatOf("compliance"), input };
    },
  },
  "suspicions.moveSuspicion": {
    "analysing a suspicion": async ({ db, seatOf }) => {
      const by = await seatOf("compliance");
      const suspicionId = await givenSuspicion(db, by.staffId);
      const input = { suspicionId, stepId: randomUUID(), seen: suspicionId, to: "analysing", text };
      return { by, input };
    },
  },
  "kyc.releaseCase": {
    "releasing a case": async ({ db, seatOf }) => {
      const by = await seatOf("compliance");
      return { by, input: { kycUUID: await givenCase(db, { assigneeId: by.staffId }) } };
    },
  },
  "kyc.changeCalendar": {
    "a change of the calendar": async ({ seat, admin }) => ({
      by: await seat(admin),
      input: { ...STANDARD_CALENDAR, closes: "17:00", version: 0 },
    }),
  },
  "kyc.changeRules": {
    "a change of the KYC rules": async ({ seat, admin }) => ({
      by: await seat(admin),
      input: { ...STANDARD_RULES, dueSoonHours: 4, version: 0, intentId: randomUUID() },
    }),
    "a proposal of rules that ask for less": async ({ db, seat, admin }) => {
      await givenStaff(db, "admin");
      return {
        by: await seat(admin),
        input: { ...STANDARD_RULES, stoppedWords: [], version: 0, intentId: randomUUID() },
      };
    },
  },
  "kyc.decideCase": {
    "a KYC decision": async ({ db, service, seatOf }) => {
      const by = await seatOf("compliance");
      return { by, input: decisionOn(await givenOwnCase(db, service, by.staffId)) };
    },
  },
};
