import { decideCase } from "@/lib/kyc/decide";
import { randomUUID } from "node:crypto";
import { completeCpf } from "@/lib/contract/document";
import { KycList, KycStarted } from "@/lib/contract/kyc";
import { eq } from "drizzle-orm";
import { escalate, takeEscalation } from "@/lib/kyc/escalate";
import { type PuttingOff, putOff } from "@/lib/kyc/put-off";
import { civilMinute } from "@/lib/text/time";
import { kycCase, kycPutOff, kycStart } from "@/lib/db/tables/kyc";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { AURORA, type Harness } from "@/test/support/service/harness";
import { checklistOf } from "@/lib/kyc/case-rules";
import { STANDARD_RULES } from "@/lib/kyc/standard-rules-view";
import { type CaseDecision, StartOrder } from "@/lib/kyc/inputs";
import type { Raising } from "@/lib/suspicions/inputs";
import { raiseSuspicion } from "@/lib/suspicions/raise";
import { sealSubject } from "@/lib/db/started-case";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "./console";
import { givenIntents } from "./transfers";
import type { Actor } from "@/lib/permission/grant";
import { givenIntentRows, performAuthorised } from "./claims";

/** A case as the service starts it. */
const STARTED = { status: "PROCESSING", process: "kyc-backgroundcheck" };

/** A valid decision to approve a person's newly started case. */
export const decisionOn = (kycUUID: string, changes: Partial<CaseDecision> = {}): CaseDecision => ({
  intentId: randomUUID(),
  kycUUID,
  decision: "APPROVED",
  reason: "Dados cadastrais conferem com as fontes consultadas.",
  reasonCode: "data-matches",
  note: null,
  checklist: checklistOf(STANDARD_RULES, { kycType: "PF", process: STARTED.process }).map(({ code }) => code),
  rulesVersion: 0,
  expected: STARTED,
  ...changes,
});

/** A decision as a second person authorised it. */
export async function decide(actor: Actor<"kyc:decide">, order: CaseDecision) {
  const outcome = await performAuthorised(decideCase, { actor, order });
  if (outcome.state !== "DONE") throw new Error(`the decision is ${outcome.state}`);
  return { state: "DECIDED", kycUUID: order.kycUUID, decision: outcome.stored?.decision };
}

/** A person's case started by our own people, by the case's id; `document` is a CPF. */
export async function givenStarted(
  db: Db,
  staffId: string,
  { kycUUID, document }: { kycUUID: string; document: string },
) {
  const tenant = AURORA.clientId;
  const id = randomUUID();
  const at = new Date();
  const order = { operation: "/v1/kyc/person", object: "kyc", isExclusive: false, actor: staffId, bodyHash: "x" };
  const sent = { key: id, state: "DONE", attempts: 1, mayHaveExecuted: true, owner: id, sendingUntil: at } as const;
  await givenIntentRows(db, { tenant, id, ...order, ...sent, createdAt: at });
  const person = { vatNumber: document, name: "Maria dos Santos", birthDate: "07-09-1984", motherName: "Josefa Lima" };
  await db.insert(kycStart).values({
    tenant,
    intentId: id,
    kycType: "PF",
    model: "COMPLETE",
    documentscopy: true,
    ...sealSubject({ table: "kyc_start", row: [tenant, id] }, person),
    isRepeat: false,
    staffId,
    createdAt: at,
    kycUUID,
  });
}

let started = 0;

/** Starts a KYC process with the provider; it stays PROCESSING until changed. */
export async function startKyc(service: Harness): Promise<string> {
  started += 1;
  const { body } = await service.send("POST", "/v1/kyc/person", {
    body: {
      backgroundcheckModel: "BASIC",
      vatNumber: completeCpf(String(200_000_100 + started)),
      name: "Maria Aparecida dos Santos",
      birthDate: "07-09-1984",
      motherName: "Josefa dos Santos",
    },
  });
  return KycStarted.parse(body).data.kycUUID;
}

export async function providerStatus(service: Harness, kycUUID: string): Promise<string | undefined> {
  const { body } = await service.send("GET", `/v1/kyc/list?kycUUID=${kycUUID}`);
  return KycList.parse(body).result[0]?.status;
}

/** A case as the watch stores it: waiting for our people since now, due in a day, unassigned; `changes` override. */
export async function givenCase(db: Db, changes: Partial<typeof kycCase.$inferInsert> = {}): Promise<string> {
  const kycUUID = randomUUID();
  const at = new Date();
  const waits = { status: "PENDING", waitingSince: at, dueAt: new Date(at.getTime() + 24 * 3_600_000) } as const;
  await db.insert(kycCase).values({
    tenant: AURORA.clientId,
    kycUUID,
    vatNumber: "***.456.789-**",
    kycType: "PF",
    process: "kyc-backgroundcheck",
    firstSeenAt: at,
    changedAt: at,
    seenAt: at,
    ...waits,
    ...changes,
  });
  return changes.kycUUID ?? kycUUID;
}

const tomorrow = () => civilMinute(new Date(Date.now() + 86_400_000));

/** An order to put a case off until tomorrow, of which nothing is known yet. */
export const puttingOff = (kycUUID: string, changes: Partial<PuttingOff> = {}): PuttingOff => ({
  kycUUID,
  putOffId: randomUUID(),
  until: tomorrow(),
  reason: "Maria manda o contrato social amanhã",
  seen: null,
  ...changes,
});

/** Put off until tomorrow by its holder. */
export async function givenPutOff(store: Db, { kycUUID, staffId }: { kycUUID: string; staffId: string }) {
  const order = puttingOff(kycUUID);
  await putOff(actorOf("compliance", staffId, "kyc:assign"), order);
  const until = new Date(Date.now() - 1_000);
  const isDue = async () => {
    await store.update(kycPutOff).set({ until }).where(eq(kycPutOff.id, order.putOffId));
    await store.update(kycCase).set({ putOffUntil: until }).where(eq(kycCase.kycUUID, kycUUID));
  };
  return { ...order, isDue };
}

/** A case that its holder handed to the second level, where `taker` took it up. */
export async function givenEscalation(store: Db, staffId: string, taker: string | null = null) {
  const order = { kycUUID: await givenCase(store, { assigneeId: staffId }), escalationId: randomUUID() };
  const text = "A assinatura da Maria Lima difere da do contrato";
  await escalate(actorOf("compliance", staffId, "kyc:assign"), { ...order, text });
  if (taker !== null)
    await takeEscalation(actorOf("approver", taker, "approvals:authorize"), { ...order, takeFrom: null });
  return order;
}

/** Raised about a case of its own; its id is that of its first step. */
export async function givenSuspicion(store: Db, staffId: string, changes: Partial<Raising> = {}): Promise<string> {
  const raising = {
    suspicionId: randomUUID(),
    kycUUID: changes.kycUUID ?? (await givenCase(store)),
    occurredOn: "2026-07-01",
    text: "Depósitos da Maria Lima em parcelas abaixo do limite",
    ...changes,
  };
  const { id } = await raiseSuspicion(actorOf("compliance", staffId, "suspicions:handle"), raising);
  return id;
}

/** A case under review at the provider, assigned to this person. */
export async function givenOwnCase(db: Db, service: Harness, assigneeId: string): Promise<string> {
  const own = { assigneeId, assignedAt: new Date(), waitingSince: null, dueAt: null };
  return givenCase(db, { kycUUID: await startKyc(service), status: "PROCESSING", ...own });
}

let invented = 0;

/** A CPF that no other test uses. */
export function inventCpf(): string {
  invented += 1;
  return completeCpf(String(410_000_100 + invented));
}

/** A valid order to start a person's case; `changes` override. */
export const personOrder = (changes: Record<string, unknown> = {}): StartOrder =>
  StartOrder.parse({
    type: "PF",
    intentId: randomUUID(),
    seen: [],
    backgroundcheckModel: "COMPLETE",
    documentscopyFlag: false,
    vatNumber: inventCpf(),
    name: "Maria Aparecida dos Santos",
    birthDate: "07/09/1984",
    motherName: "Josefa dos Santos",
    ...changes,
  });

/** A valid order to start the case of a company with two partners. */
export const companyOrder = (changes: Record<string, unknown> = {}): StartOrder & { type: "PJ" } => {
  const partner = { name: "Rui Lima", birthDate: "07/09/1984", motherName: "Josefa dos Santos" };
  const order = StartOrder.parse({
    type: "PJ",
    intentId: randomUUID(),
    seen: [],
    backgroundcheckModel: "BASIC",
    documentscopyFlag: true,
    vatNumber: "11222333000181",
    legalName: "Aurora Pagamentos Ltda",
    qsa: [
      { ownerType: "SOCIO_ADMINISTRADOR", vatNumber: inventCpf(), ...partner },
      { ownerType: "SOCIO", vatNumber: inventCpf(), ...partner, name: "Eva Prado" },
    ],
    ...changes,
  });
  if (order.type !== "PJ") throw new Error("it is no company's");
  return order;
};

export type StartFormState = Awaited<ReturnType<typeof givenStartFixture>>;

/** A compliance desk and a provider whose answers `script` can lose. */
export async function givenStartFixture() {
  givenEnv();
  const db = await givenStore();
  const service = await givenService();
  return {
    db,
    service,
    script: givenIntents(),
    ana: actorOf("compliance", await givenStaff(db, "compliance"), "kyc:start"),
    /** The cases that the provider has started and charged. */
    charged: async () => KycList.parse((await service.send("GET", "/v1/kyc/list")).body).result,
    /** Code and outcome of the audit rows, in order. */
    trail: async () =>
      (await db.select().from(auditEvent).orderBy(auditEvent.seq)).map(({ code, outcome }) => `${code} ${outcome}`),
  };
}
