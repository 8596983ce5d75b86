import { and, desc, eq, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { CreateCompanyAccount, CreatePersonAccount, OnboardingMessage } from "@/lib/contract/onboarding";
import type { WebhookEvent } from "@/lib/contract/webhook-events";
import { instant } from "@/service/clock";
import { actingFor, type Call, type Service } from "@/service/context";
import { conflict, invalid, notFound } from "@/service/error";
import { cancelScheduled, schedule } from "@/service/jobs/run-due";
import { BRL, openAccounts } from "@/service/ledger/account";
import { secretText, uuid } from "@/service/random";
import { type Reader, transaction, type Tx } from "@/service/store/transaction";
import { emit } from "@/service/webhooks/outbox";
import { bankAccount, onboarding } from "@/service/store/schema";

export type Onboarding = typeof onboarding.$inferSelect;
export type BankAccount = typeof bankAccount.$inferSelect;
type OnboardingWithAccount = { onboarding: Onboarding; account: BankAccount | null };

const unknownOnboarding = () => notFound("banking account was not found for the onboarding id");

/** Modulo 11 over the serial number, as Brazilian banks print it: `104729-5`. */
export function accountNumber({ serial }: Pick<BankAccount, "serial">): string {
  const sum = Array.from(String(serial).split("").toReversed()).reduce(
    (total, digit, place) => total + Number(digit) * (2 + (place % 8)),
    0,
  );
  return `${serial}-${((11 - (sum % 11)) % 11) % 10}`;
}

/** Nulls and empty strings while there is none. */
export function describeAccount({ documentNumber }: Onboarding, account: BankAccount | null) {
  return {
    accountId: account?.id ?? null,
    branch: account?.branch ?? "",
    account: account ? accountNumber(account) : "",
    documentNumber,
  };
}

/** No request names a user, so it is shown only when known. */
export function describeUser({ holder: { userId } }: Onboarding) {
  return typeof userId === "string" ? { userId } : {};
}

/** Our assumption: the interface does not show one. */
function describeOnboarding(row: Onboarding, account: BankAccount | null) {
  return {
    onBoardingId: row.id,
    status: row.status,
    account: describeAccount(row, account),
    traceId: row.traceId,
    biometricUrl: row.biometricUrl,
    messages: row.messages,
  };
}

/** interface: Resources › Onboarding record */
function onboardingRecord({ onboarding: row, account }: OnboardingWithAccount) {
  return {
    status: row.status,
    body: {
      clientCode: row.clientId,
      account: describeAccount(row, account),
      traceId: row.traceId,
      biometricUrl: row.biometricUrl,
      ...(row.messages.length > 0 && { messages: row.messages }),
    },
  };
}

/** 404 when none matches. */
async function findOnboarding(db: Reader, isMeant: SQL | undefined): Promise<OnboardingWithAccount> {
  const [found] = await db
    .select({ onboarding, account: bankAccount })
    .from(onboarding)
    .leftJoin(bankAccount, eq(bankAccount.onboardingId, onboarding.id))
    .where(isMeant)
    .orderBy(desc(onboarding.sequence))
    .limit(1);
  if (!found) throw unknownOnboarding();
  return found;
}

/** Finds a document's newest request; 404 without one. */
export async function checkOnboarding({ db, tenant }: Call, idOrDocument: string) {
  const isNamed = or(eq(onboarding.id, idOrDocument), eq(onboarding.documentNumber, idOrDocument));
  return onboardingRecord(await findOnboarding(db, and(eq(onboarding.clientId, tenant.clientId), isNamed)));
}

/** 404 when there is none. */
export async function lockOnboarding(tx: Reader, id: string): Promise<Onboarding> {
  const [row] = await tx.select().from(onboarding).where(eq(onboarding.id, id)).for("update");
  if (!row) throw unknownOnboarding();
  return row;
}

const BRANCH = "0001";

type Change = Partial<Pick<Onboarding, "status" | "biometricUrl" | "messages" | "endedAt">>;

function assertUndecided({ status }: Onboarding): void {
  if (status !== "PROCESSING") throw conflict(`The onboarding is ${status} and stays so`);
}

async function change(tx: Tx, row: Onboarding, changes: Change): Promise<Onboarding> {
  await tx.update(onboarding).set(changes).where(eq(onboarding.id, row.id));
  return { ...row, ...changes };
}

async function announce(
  service: Service,
  tx: Tx,
  { event, row, account }: { event: WebhookEvent; row: Onboarding; account: BankAccount | null },
): Promise<void> {
  const call = actingFor(service, row.clientId);
  if (call) await emit(call, tx, { event, payload: describeOnboarding(row, account) });
}

/** 409 when it was decided before. */
export async function confirmOnboarding(service: Service, tx: Tx, row: Onboarding): Promise<void> {
  assertUndecided(row);
  const id = uuid(service.random);
  const [account] = await tx
    .insert(bankAccount)
    .values({
      id,
      clientId: row.clientId,
      onboardingId: row.id,
      documentNumber: row.documentNumber,
      branch: BRANCH,
      status: "ACTIVE",
      createdAt: instant(service.clock),
    })
    .returning();
  await openAccounts(tx, [
    { holder: id, assetId: BRL, kind: "available" },
    { holder: id, assetId: BRL, kind: "blocked" },
  ]);
  const confirmed = await change(tx, row, { status: "CONFIRMED", biometricUrl: null, messages: [] });
  await announce(service, tx, { event: "onboarding-create", row: confirmed, account: account ?? null });
}

/** The document may request again. 409 when it was decided before. */
export async function refuseOnboarding(
  service: Service,
  tx: Tx,
  { row, messages }: { row: Onboarding; messages: OnboardingMessage[] },
): Promise<void> {
  assertUndecided(row);
  const refusal: Change = { status: "ERROR", biometricUrl: null, messages, endedAt: instant(service.clock) };
  const refused = await change(tx, row, refusal);
  await announce(service, tx, { event: "onboarding-backgroundcheck", row: refused, account: null });
}

export async function requireOfHolder(
  service: Service,
  tx: Tx,
  { row, ...wanted }: { row: Onboarding } & Pick<Change, "biometricUrl" | "messages">,
): Promise<void> {
  assertUndecided(row);
  const waiting = await change(tx, row, wanted);
  if (waiting.biometricUrl !== row.biometricUrl)
    await announce(service, tx, { event: "onboarding-biometrics", row: waiting, account: null });
}

type Requested = Pick<typeof onboarding.$inferInsert, "holderType" | "documentNumber" | "holderName" | "holder">;
export type AccountRequest = CreatePersonAccount | CreateCompanyAccount;

const isCompany = (request: AccountRequest): request is CreateCompanyAccount => "legalPerson" in request;

/** A client may also have put the password beside the holder's fields. */
function withoutPassword(holder: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(holder).filter(([name]) => name !== "transactionPassword"));
}

/** Without the password. 400 when it names a person and a company. */
export function holderOf(request: AccountRequest): Requested {
  if (isCompany(request)) {
    const { legalPerson, email, bankDocuments } = request;
    if ("person" in request) throw invalid("person", "cannot stand beside legalPerson");
    return {
      holderType: "PJ",
      documentNumber: legalPerson.documentNumber,
      holderName: legalPerson.businessName,
      holder: { ...withoutPassword(legalPerson), accountEmail: email, bankDocuments },
    };
  }
  const { person, email, bankDocuments } = request;
  return {
    holderType: "PF",
    documentNumber: person.documentNumber,
    holderName: person.fullName,
    holder: { ...withoutPassword(person), accountEmail: email, bankDocuments },
  };
}

export const ONBOARDING_CHECK = "onboarding-check";

/** interface: Bank accounts › create. 409 when the document has an account or a request in progress. */
export async function requestAccount(call: Call, request: AccountRequest): Promise<string> {
  const { clock, random, settings, tenant } = call;
  const requested = holderOf(request);
  return transaction(call.db, async (tx) => {
    const [row] = await tx
      .insert(onboarding)
      .values({
        ...requested,
        id: uuid(random),
        clientId: tenant.clientId,
        status: "PROCESSING",
        traceId: uuid(random),
        pageToken: secretText(random),
        createdAt: instant(clock),
      })
      .onConflictDoNothing({
        target: [onboarding.clientId, onboarding.documentNumber],
        where: sql`${onboarding.endedAt} is null`,
      })
      .returning();
    if (!row) throw conflict("The document already has a banking account or a request in progress");
    await emit(call, tx, { event: "onboarding-create", payload: describeOnboarding(row, null) });
    if (settings.providerDelayMs !== "manual")
      await schedule(call, tx, { kind: ONBOARDING_CHECK, subject: row.id, delayMs: settings.providerDelayMs });
    return row.id;
  });
}

const Message = z.looseObject({
  id: z.enum(["onboarding-backgroundcheck", "onboarding-biometrics"]).default("onboarding-backgroundcheck"),
  date: z.iso.datetime({ offset: true }).optional(),
  message: z.string().min(1),
  status: z.string().default("proposal-reproved"),
  actionRequired: z.boolean().default(false),
  url: z.url().optional(),
});

export const OnboardingDecision = z.looseObject({
  status: z.enum(["CONFIRMED", "ERROR"]).optional(),
  biometricUrl: z.url().nullable().optional(),
  messages: z.array(Message).optional(),
});
type OnboardingDecision = z.output<typeof OnboardingDecision>;

/** A refusal always has a reason. */
function messagesOf(service: Service, { status, messages }: OnboardingDecision): OnboardingMessage[] | undefined {
  const date = instant(service.clock).toISOString();
  const isUnexplained = status === "ERROR" && !messages?.length;
  const given = isUnexplained
    ? [Message.parse({ message: "A proposta não foi aprovada na verificação cadastral." })]
    : messages;
  return given?.map((message) => ({ ...message, date: message.date ?? date }));
}

async function decide(service: Service, tx: Tx, { row, decision }: { row: Onboarding; decision: OnboardingDecision }) {
  const messages = messagesOf(service, decision);
  if (decision.status === "ERROR") return refuseOnboarding(service, tx, { row, messages: messages ?? [] });
  const wanted = {
    ...(decision.biometricUrl !== undefined && { biometricUrl: decision.biometricUrl }),
    ...(messages && { messages }),
  };
  if (Object.keys(wanted).length > 0) await requireOfHolder(service, tx, { row, ...wanted });
  if (decision.status === "CONFIRMED") return confirmOnboarding(service, tx, row);
}

/** Assumption: control routes. 409 once decided. */
export async function steerOnboarding(service: Service, id: string, decision: OnboardingDecision) {
  return transaction(service.db, async (tx) => {
    await decide(service, tx, { row: await lockOnboarding(tx, id), decision });
    if (decision.status) await cancelScheduled(tx, ONBOARDING_CHECK, id);
    const decided = await findOnboarding(tx, eq(onboarding.id, id));
    return onboardingRecord(decided);
  });
}

async function behindPage(db: Reader, pageToken: string): Promise<Onboarding> {
  const isToken = /^[\w-]{1,128}$/.test(pageToken);
  const [row] = isToken
    ? await db.select().from(onboarding).where(eq(onboarding.pageToken, pageToken)).for("update")
    : [];
  if (!row) throw notFound("There is nothing at this path");
  return row;
}

/** 404 when no onboarding has this page. */
export async function statusBehindPage({ db }: Service, pageToken: string): Promise<Onboarding["status"]> {
  return (await behindPage(db, pageToken)).status;
}

/** Assumption: magic documents. 404 when no onboarding has such a page. */
export async function visitBiometrics(service: Service, pageToken: string): Promise<Onboarding["status"]> {
  return transaction(service.db, async (tx) => {
    const row = await behindPage(tx, pageToken);
    if (row.status !== "PROCESSING" || row.biometricUrl === null) return row.status;
    await confirmOnboarding(service, tx, row);
    return "CONFIRMED";
  });
}
