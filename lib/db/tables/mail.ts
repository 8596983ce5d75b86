import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/db/columns";
import { staff } from "./staff";
import type { MailChoice, MailEnd, MailSubject } from "@/lib/db/enums/mail";

/** A pending mail, written with its event. */
export const mailNotice = pgTable(
  "mail_notice",
  {
    tenant,
    subject: text("subject").$type<MailSubject>().notNull(),
    /** The id of an approval, an intent or a file, never a name. */
    object: text("object").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    dueAt: instant("due_at").notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** While the mail server receives it: a crash then prevents a resend. */
    claimedAt: instant("claimed_at"),
    endedAt: instant("ended_at"),
    end: text("ended_as").$type<MailEnd>(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.subject, table.object, table.staffId] }),
    index("mail_notice_open")
      .on(table.tenant, table.dueAt)
      .where(sql`ended_at is null`),
    index("mail_notice_sent").on(table.tenant, table.staffId, table.subject, table.endedAt),
  ],
);

export const mailSettings = pgTable("mail_settings", {
  staffId: uuid("staff_id")
    .primaryKey()
    .references(() => staff.id),
  off: text("off").array().$type<MailChoice[]>().notNull().default([]),
  /** The language last used or chosen. */
  locale: text("locale"),
});
