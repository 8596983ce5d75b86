import { and, count, desc, eq, notInArray, type SQL } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import type { KycStatus } from "@/lib/contract/kyc";
import type { KycView } from "@/lib/kyc-view";
import { type Page, PAGE_SIZE, pageWindow } from "@/lib/page";
import { kycCase } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import { freshness } from "@/lib/watch";
import { caseRows, type KycRow } from "./queue-rows";
import { KycFilter } from "./rules";

export type KycQueue = Page<KycRow> & { counts: Record<KycView, number> };

const FINAL: KycStatus[] = ["APPROVED", "REPROVED"];

function statusIs(view: KycView): SQL | undefined {
  if (view === "all") return undefined;
  return view === "open" ? notInArray(kycCase.status, FINAL) : eq(kycCase.status, view);
}

async function countByStatus(mine: SQL | undefined): Promise<Record<KycView, number>> {
  const rows = await (
    await db()
  )
    .select({ status: kycCase.status, n: count() })
    .from(kycCase)
    .where(mine)
    .groupBy(kycCase.status);
  const counts = { open: 0, PENDING: 0, PROCESSING: 0, APPROVED: 0, REPROVED: 0, all: 0 };
  for (const { status, n } of rows) {
    counts.all += n;
    if (status !== "APPROVED" && status !== "REPROVED") counts.open += n;
    if (status === "APPROVED" || status === "REPROVED" || status === "PENDING" || status === "PROCESSING")
      counts[status] += n;
  }
  return counts;
}

export async function readQueue(actor: Actor<"kyc:read">, given: Partial<KycFilter> = {}): Promise<KycQueue> {
  const filter = KycFilter.parse(given);
  const mine = and(
    eq(kycCase.tenant, actor.tenant),
    filter.type === undefined ? undefined : eq(kycCase.kycType, filter.type),
  );
  const counts = await countByStatus(mine);
  const total = counts[filter.status];
  const { page, totalPages, offset } = pageWindow(filter.page, total);
  const store = await db();
  const found = await store
    .select()
    .from(kycCase)
    .where(and(mine, statusIs(filter.status)))
    .orderBy(desc(kycCase.seq))
    .limit(PAGE_SIZE)
    .offset(offset);
  const rows = await caseRows(store, actor.tenant, found);
  return { rows, page, totalPages, total, counts, ...(await freshness(actor.tenant, "kyc")) };
}
