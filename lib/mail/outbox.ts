import { and, arrayOverlaps, eq, isNull, ne, sql } from "drizzle-orm";
import { type Permission, rolesWith } from "@/lib/permission/permission";
import { staffMembership } from "@/lib/db/tables/auth";
import { env } from "@/lib/settings/env";
import { staff } from "@/lib/db/tables/staff";
import { db, type Tx } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import type { Locale } from "@/lib/text/format";
import type { MailSubject } from "@/lib/db/enums/mail";
import { mailNotice, mailSettings } from "@/lib/db/tables/mail";

type Notice = {
  tenant: string;
  subject: MailSubject;
  object: string;
  /** A staff id, a permission whose holders except the actor are told, or a watch, which has no mail. */
  to: string | { permission: Permission; except: string };
  delayMs?: number;
};

async function membersWith(tx: Tx, tenant: string, to: { permission: Permission; except: string }): Promise<string[]> {
  const found = await tx
    .select({ id: staff.id })
    .from(staffMembership)
    .innerJoin(staff, eq(staff.id, staffMembership.staffId))
    .where(
      and(
        eq(staffMembership.tenant, tenant),
        arrayOverlaps(staffMembership.roles, rolesWith(to.permission)),
        isNull(staffMembership.disabledAt),
        isNull(staff.disabledAt),
        ne(sql`${staff.id}::text`, to.except),
      ),
    );
  return found.map(({ id }) => id);
}

/** In the event's own transaction; a repeat mails nobody twice. Does nothing without a mail server. */
export async function queueMail(tx: Tx, { tenant, subject, object, to, delayMs = 0 }: Notice): Promise<void> {
  if (env().mail === null) return;
  const people = typeof to === "string" ? [to].filter(isUuid) : await membersWith(tx, tenant, to);
  if (people.length === 0) return;
  const dueAt = sql`clock_timestamp() + ${delayMs} * interval '1 millisecond'`;
  await tx
    .insert(mailNotice)
    .values(people.map((staffId) => ({ tenant, subject, object, staffId, dueAt })))
    .onConflictDoNothing();
}

/** Stored because mails have no browser language. */
export async function saveMailLocale(staffId: string, locale: Locale): Promise<void> {
  if (env().mail === null) return;
  const store = await db();
  await store
    .insert(mailSettings)
    .values({ staffId, locale })
    .onConflictDoUpdate({ target: mailSettings.staffId, set: { locale } });
}
