import { and, asc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { afterBusinessHours } from "@/lib/calendar/business-hours";
import { changeCalendar } from "@/lib/calendar/calendar";
import type { CalendarForm } from "@/lib/calendar/inputs";
import type { BusinessCalendar, VersionedCalendar } from "@/lib/calendar/view";
import { db, type Tx } from "@/lib/db/connection";
import { publish } from "@/lib/db/publish";
import { kycCase } from "@/lib/db/tables/kyc";
import type { Actor } from "@/lib/permission/grant";

const ROWS_AT_ONCE = 500;

async function moveDeadlines(tx: Tx, tenant: string, calendar: BusinessCalendar): Promise<void> {
  const { kycUUID, waitingSince, businessHours } = kycCase;
  // In the watch's order, to avoid deadlocks.
  const waiting = await tx
    .select({ kycUUID, waitingSince, businessHours })
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), isNotNull(waitingSince), isNotNull(businessHours)))
    .orderBy(asc(kycCase.seq))
    .for("update");
  const moved = waiting.flatMap((row): SQL[] =>
    row.waitingSince === null || row.businessHours === null
      ? []
      : [
          sql`(${row.kycUUID}::text, ${afterBusinessHours(calendar, row.waitingSince, row.businessHours).toISOString()}::timestamptz)`,
        ],
  );
  for (let from = 0; from < moved.length; from += ROWS_AT_ONCE) {
    const rows = sql.join(moved.slice(from, from + ROWS_AT_ONCE), sql`, `);
    await tx.execute(sql`update ${kycCase} set due_at = moved.due_at
      from (values ${rows}) as moved (kyc_uuid, due_at)
      where ${kycCase.tenant} = ${tenant} and ${kycCase.kycUUID} = moved.kyc_uuid`);
  }
}

/** Changes the calendar, and with it the deadline of each waiting case that counts hours of work. */
export async function changeCaseCalendar(
  actor: Actor<"settings:manage">,
  form: CalendarForm,
): Promise<VersionedCalendar> {
  const { tenant } = actor;
  return (await db()).transaction((tx) =>
    changeCalendar(tx, actor, form, async (calendar) => {
      await moveDeadlines(tx, tenant, calendar);
      await publish(tx, { tenant, topic: "kyc" });
    }),
  );
}
