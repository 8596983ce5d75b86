import { eq, sql } from "drizzle-orm";
import { getLocale } from "next-intl/server";
import type { z } from "zod";
import { can, type Role } from "@/lib/permission/permission";
import { MAIL_PERMISSIONS, type OwnMails } from "@/lib/mail/view";
import { MAIL_CHOICES } from "@/lib/db/enums/mail";
import { mailSettings } from "@/lib/db/tables/mail";
import { env } from "@/lib/settings/env";
import { db } from "@/lib/db/connection";
import type { MailChoosing } from "./inputs";

type Person = { staffId: string; roles: Role[] };

export async function readOwnMails({ staffId, roles }: Person): Promise<OwnMails> {
  const store = await db();
  const [settings] = await store
    .select({ off: mailSettings.off })
    .from(mailSettings)
    .where(eq(mailSettings.staffId, staffId));
  const own = MAIL_CHOICES.filter((choice) => MAIL_PERMISSIONS[choice].some((permission) => can(roles, permission)));
  const choices = own.map((choice) => ({ choice, isOn: settings?.off.includes(choice) !== true }));
  return { isOff: env().mail === null, choices };
}

export async function chooseOwnMail(
  person: Person,
  { choice, isOn }: z.output<typeof MailChoosing>,
): Promise<OwnMails> {
  const { staffId } = person;
  const locale = await getLocale();
  const without = sql`array_remove(${mailSettings.off}, ${choice})`;
  const off = isOn ? without : sql`array_append(${without}, ${choice})`;
  await (
    await db()
  )
    .insert(mailSettings)
    .values({ staffId, locale, off: isOn ? [] : [choice] })
    .onConflictDoUpdate({ target: mailSettings.staffId, set: { locale, off } });
  return readOwnMails(person);
}
