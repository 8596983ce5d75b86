import { and, asc, desc, eq, inArray } from "drizzle-orm";
import { maskDocument } from "@/lib/contract/document";
import type { KycList, KycListQuery, KycRecord } from "@/lib/contract/kyc";
import type { Call } from "@/service/context";
import { isKycUuid, webviewUrl } from "./load-kyc";
import { kycProcess, kycWebview } from "./schema";
import type { KycProcess } from "./start-kyc";

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
  if (kycType === "PF") return { ...record, webviewUrl: webviewUrl(call, first) };
  const webviewUrls = pages.map((page) => ({ vatNumber: maskDocument(page.vatNumber), url: webviewUrl(call, page) }));
  return { ...record, webviewUrls };
}

/** One page of the tenant's processes, newest first (interface: KYC › GET /v1/kyc/list; paging is our assumption). */
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
