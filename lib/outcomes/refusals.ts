import { type ReadWith, readWith } from "@/lib/permission/writes";
import { and, desc, eq, gt, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { requestsOf } from "@/lib/approvals/visible";
import { maskWithin } from "@/lib/contract/document";
import { db } from "@/lib/db/connection";
import { providerIntent } from "@/lib/db/tables/provider";
import { staff } from "@/lib/db/tables/staff";
import type { Actor } from "@/lib/permission/grant";
import { toldOf } from "@/lib/provider/intents/told";
import { SENT_WRITES } from "@/lib/sent-writes";
import type { RefusedWrite } from "./view";

const MAX = 20;
const DAYS = 30;

const masked = (text: string | null) => (text === null ? null : maskWithin(text));

type RefusalQuery = { area: ReadWith; object: string | null };

/** What makes a record is named after itself: there is none yet. */
const isOfNew = sql`${providerIntent.object} like '%:' || ${providerIntent.id}`;

/** Lists what left in the last 30 days, was refused by the provider and not sent again since, newest first. */
export async function readRefused(reader: Actor, { area, object }: RefusalQuery): Promise<RefusedWrite[]> {
  const { tenant } = reader;
  const store = await db();
  const writes = SENT_WRITES.filter(({ name }) => readWith(name) === area);
  const found = await store
    .select({ intent: providerIntent, byName: staff.name })
    .from(providerIntent)
    .leftJoin(staff, eq(sql`${staff.id}::text`, providerIntent.actor))
    .where(
      and(
        eq(providerIntent.tenant, tenant),
        inArray(
          providerIntent.operation,
          writes.map(({ intent }) => intent.path),
        ),
        object === null ? isOfNew : eq(providerIntent.object, object),
        eq(providerIntent.state, "REFUSED"),
        isNull(providerIntent.endedBy),
        isNotNull(providerIntent.status),
        gt(providerIntent.attempts, 0),
        gt(providerIntent.finishedAt, sql`clock_timestamp() - ${DAYS} * interval '1 day'`),
      ),
    )
    .orderBy(desc(providerIntent.finishedAt))
    .limit(MAX);
  const requests = await requestsOf(
    store,
    reader,
    found.map(({ intent }) => intent.id),
  );
  const rows = found.map(async ({ intent, byName }): Promise<RefusedWrite[]> => {
    const write = writes.find((one) => one.intent.path === intent.operation);
    const told = toldOf(intent);
    if (write === undefined || told === null) return [];
    const { subject, amount, coins = null, destination = null, href } = await write.settle.describe(store, intent);
    return [
      {
        intentId: intent.id,
        name: write.name,
        subject: masked(subject),
        amount,
        coins,
        destination: masked(destination),
        href,
        byName: byName ?? intent.actor,
        at: (intent.finishedAt ?? intent.createdAt).toISOString(),
        told,
        requestId: requests.get(intent.id) ?? null,
      },
    ];
  });
  return (await Promise.all(rows)).flat();
}
