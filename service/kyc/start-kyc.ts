import { and, asc, desc, eq, inArray, isNull } from "drizzle-orm";
import { z } from "zod";
import { maskDocument } from "@/lib/contract/document";
import {
  type CompanyKyc,
  KYC_PROCESSES,
  KYC_STATUSES,
  type KycList,
  type KycListQuery,
  type KycRecord,
  type ManualDecision,
  type PersonKyc,
} from "@/lib/contract/kyc";
import { instant } from "@/service/clock";
import type { Call, Service } from "@/service/context";
import { forbidden, notFound } from "@/service/error";
import { cancelScheduled, type JobKind, schedule } from "@/service/jobs/run-due";
import { magicOutcome } from "@/service/magic-document";
import { secretText, uuid } from "@/service/random";
import { transaction, type Tx } from "@/service/store/transaction";
import { kycCharge, kycDecision, kycProcess, kycWebview } from "@/service/store/schema";

type KycChange = Partial<Pick<KycProcess, "status" | "process" | "webviewUrl">>;

async function changeKyc(
  { clock }: Service,
  tx: Tx,
  { kycUuid, change }: { kycUuid: string; change: KycChange },
): Promise<void> {
  await tx
    .update(kycProcess)
    .set({ ...change, updatedAt: instant(clock) })
    .where(eq(kycProcess.kycUuid, kycUuid));
}

const isKycUuid = (text: string): boolean => z.guid().safeParse(text).success;

/** Locked until the transaction ends. 404. */
async function lockKyc(tx: Tx, kycUuid: string): Promise<KycProcess> {
  const [process] = isKycUuid(kycUuid)
    ? await tx.select().from(kycProcess).where(eq(kycProcess.kycUuid, kycUuid)).for("update")
    : [];
  if (!process) throw notFound("The KYC process was not found");
  return process;
}

const webviewUrlOf = ({ settings }: Service, { token }: Pick<typeof kycWebview.$inferSelect, "token">): string =>
  `${settings.publicUrl}/documentscopy/${token}`;

const KYC_CHECK = "kyc-check";

export type KycProcess = typeof kycProcess.$inferSelect;
type Subject = Pick<typeof kycProcess.$inferInsert, "kycType" | "vatNumber" | "name" | "birthDate" | "motherName"> & {
  members?: KycProcess["members"];
  backgroundcheckModel: KycProcess["model"];
  documentscopyFlag: boolean;
};

async function start(
  call: Call,
  { backgroundcheckModel, documentscopyFlag, ...subject }: Subject,
): Promise<KycProcess> {
  const { clock, db, random, settings, tenant } = call;
  const now = instant(clock);
  return transaction(db, async (tx) => {
    const [process] = await tx
      .insert(kycProcess)
      .values({
        ...subject,
        kycUuid: uuid(random),
        clientId: tenant.clientId,
        model: backgroundcheckModel,
        documentscopy: documentscopyFlag,
        process: "kyc-backgroundcheck",
        status: "PROCESSING",
        createdAt: now,
        updatedAt: now,
      })
      .returning();
    if (!process) throw new Error("the KYC process was not stored");
    const { kycUuid, clientId, kycType, model } = process;
    await tx.insert(kycCharge).values({ kycUuid, clientId, kycType, model, chargedAt: now }).onConflictDoNothing();
    if (settings.providerDelayMs !== "manual")
      await schedule(call, tx, { kind: KYC_CHECK, subject: kycUuid, delayMs: settings.providerDelayMs });
    return process;
  });
}

/** interface: KYC › POST /v1/kyc/person. Charges. */
export async function startPersonKyc(call: Call, input: PersonKyc): Promise<KycProcess> {
  const { backgroundcheckModel, documentscopyFlag, vatNumber, name, birthDate, motherName } = input;
  return start(call, {
    kycType: "PF",
    backgroundcheckModel,
    documentscopyFlag,
    vatNumber,
    name,
    birthDate,
    motherName,
  });
}

/** interface: KYC › POST /v1/kyc/company. Charges. */
export async function startCompanyKyc(call: Call, input: CompanyKyc): Promise<KycProcess> {
  const { backgroundcheckModel, documentscopyFlag, vatNumber, legalName, qsa } = input;
  const members = qsa.map(({ ownerType, vatNumber: cpf, name, birthDate, motherName }) => {
    return { ownerType, vatNumber: cpf, name, birthDate, motherName };
  });
  return start(call, { kycType: "PJ", backgroundcheckModel, documentscopyFlag, vatNumber, name: legalName, members });
}

/** interface: KYC › POST /v1/kyc/manual-decision. Whatever the state. 404, and 403 for another tenant's. */
export async function decideKyc(call: Call, { kycUUID, decision, reason }: ManualDecision): Promise<void> {
  await transaction(call.db, async (tx) => {
    const { clientId, kycUuid } = await lockKyc(tx, kycUUID);
    if (clientId !== call.tenant.clientId) throw forbidden("The KYC process belongs to another client");
    await cancelScheduled(tx, KYC_CHECK, kycUuid);
    await changeKyc(call, tx, { kycUuid, change: { status: decision } });
    await tx.insert(kycDecision).values({ kycUuid, decision, reason, decidedAt: instant(call.clock) });
  });
}

async function openWebviews({ random }: Service, tx: Tx, process: KycProcess): Promise<void> {
  const { kycUuid, kycType, members } = process;
  const holders = kycType === "PF" ? [process] : members;
  // A process returned to its background check gets new pages.
  await tx.delete(kycWebview).where(eq(kycWebview.kycUuid, kycUuid));
  await tx.insert(kycWebview).values(
    holders.map(({ vatNumber }, position) => {
      return { token: secretText(random), kycUuid, position, vatNumber };
    }),
  );
}

/** Approved, or waiting for documents (our assumption: the steps of document-scopy). */
async function passCheck(service: Service, tx: Tx, process: KycProcess): Promise<KycChange> {
  if (!process.documentscopy || process.process === "kyc-documentscopy") return { status: "APPROVED" };
  await openWebviews(service, tx, process);
  return { process: "kyc-documentscopy", status: "PENDING" };
}

async function finish(service: Service, tx: Tx, kycUuid: string): Promise<void> {
  const process = await lockKyc(tx, kycUuid);
  if (process.status !== "PROCESSING") return;
  switch (magicOutcome(process.vatNumber)) {
    case "refuse":
      return changeKyc(service, tx, { kycUuid, change: { status: "REPROVED" } });
    case "ask":
      return changeKyc(service, tx, { kycUuid, change: { status: "PENDING" } });
    case "wait":
      return;
    case "approve":
    case "resubmit":
      return changeKyc(service, tx, { kycUuid, change: await passCheck(service, tx, process) });
  }
}

/** Our assumption: magic documents. */
export const kycCheck: JobKind = { kind: KYC_CHECK, run: finish };

/** 404 when there is no such page. */
export async function isDocumentscopyOpen({ db }: Service, token: string): Promise<boolean> {
  const [page] = await db.select().from(kycWebview).where(eq(kycWebview.token, token));
  if (!page) throw notFound("There is nothing at this path");
  return page.finishedAt === null;
}

/** Our assumption: the steps of document-scopy. No effect once decided. 404 when there is no such page. */
export async function finishDocumentscopy(service: Service, token: string): Promise<void> {
  const { clock, db, settings } = service;
  await transaction(db, async (tx) => {
    const [page] = await tx.select().from(kycWebview).where(eq(kycWebview.token, token));
    if (!page) throw notFound("There is nothing at this path");
    const { kycUuid, process, status } = await lockKyc(tx, page.kycUuid);
    const isWaiting = and(eq(kycWebview.kycUuid, kycUuid), isNull(kycWebview.finishedAt));
    await tx
      .update(kycWebview)
      .set({ finishedAt: instant(clock) })
      .where(and(eq(kycWebview.token, token), isWaiting));
    const [waiting] = await tx.select().from(kycWebview).where(isWaiting).limit(1);
    if (waiting || process !== "kyc-documentscopy" || status !== "PENDING") return;
    await changeKyc(service, tx, { kycUuid, change: { status: "PROCESSING" } });
    if (settings.providerDelayMs !== "manual")
      await schedule(service, tx, { kind: KYC_CHECK, subject: kycUuid, delayMs: settings.providerDelayMs });
  });
}

type Webview = typeof kycWebview.$inferSelect;

async function webviewsOf({ db }: Call, processes: readonly KycProcess[]): Promise<Webview[]> {
  const ids = processes.filter((process) => process.documentscopy).map((process) => process.kycUuid);
  if (ids.length === 0) return [];
  return db.select().from(kycWebview).where(inArray(kycWebview.kycUuid, ids)).orderBy(asc(kycWebview.position));
}

function describe(call: Call, row: KycProcess, pages: readonly Webview[]): KycRecord {
  const { kycUuid: kycUUID, vatNumber, process, status, kycType } = row;
  const record = { kycUUID, vatNumber: maskDocument(vatNumber), process, status, kycType };
  const [first] = pages;
  if (row.webviewUrl !== null) return { ...record, webviewUrl: row.webviewUrl };
  if (!first) return record;
  if (kycType === "PF") return { ...record, webviewUrl: webviewUrlOf(call, first) };
  const webviewUrls = pages.map((page) => ({ vatNumber: maskDocument(page.vatNumber), url: webviewUrlOf(call, page) }));
  return { ...record, webviewUrls };
}

/** interface: KYC › GET /v1/kyc/list; paging is our assumption. Newest first. */
export async function listKyc(call: Call, { kycUUID, page, limit }: KycListQuery): Promise<KycList> {
  const { db, tenant } = call;
  if (kycUUID && !isKycUuid(kycUUID)) return { page, limit, result: [] };
  const isOne = kycUUID ? eq(kycProcess.kycUuid, kycUUID) : undefined;
  const rows = await db
    .select()
    .from(kycProcess)
    .where(and(eq(kycProcess.clientId, tenant.clientId), isOne))
    .orderBy(desc(kycProcess.createdAt), desc(kycProcess.sequence))
    .limit(limit)
    .offset((page - 1) * limit);
  const webviews = await webviewsOf(call, rows);
  const webviewsIn = (kycUuid: string) => webviews.filter((webview) => webview.kycUuid === kycUuid);
  return { page, limit, result: rows.map((row) => describe(call, row, webviewsIn(row.kycUuid))) };
}

export const KycSteering = z.strictObject({
  status: z.enum(KYC_STATUSES),
  process: z.enum(KYC_PROCESSES).optional(),
  webviewUrl: z.url({ error: "must be a URL" }).nullable().optional(),
});
export type KycSteering = z.infer<typeof KycSteering>;

async function outcome(
  service: Service,
  tx: Tx,
  { row, steering }: { row: KycProcess; steering: KycSteering },
): Promise<KycChange> {
  const { status, process } = steering;
  if (process) return { status, process };
  return status === "APPROVED" ? passCheck(service, tx, row) : { status };
}

/** An approval without a named part passes the current one. 404 for an unknown process. */
export async function steerKyc(service: Service, kycUUID: string, steering: KycSteering) {
  const { status, webviewUrl } = steering;
  return transaction(service.db, async (tx) => {
    const row = await lockKyc(tx, kycUUID);
    const { kycUuid } = row;
    if (status !== "PROCESSING") await cancelScheduled(tx, KYC_CHECK, kycUuid);
    const change = {
      ...(await outcome(service, tx, { row, steering })),
      ...(webviewUrl !== undefined && { webviewUrl }),
    };
    await changeKyc(service, tx, { kycUuid, change });
    return { kycUUID: kycUuid, ...change };
  });
}
