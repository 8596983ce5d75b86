import { and, asc, eq, inArray } from "drizzle-orm";
import { createTranslator } from "next-intl";
import type { Db } from "@/lib/db/connection";
import { healthIncident } from "@/lib/db/tables/health";
import type { WatchName } from "@/lib/permission/watches";
import { tenantOf } from "@/lib/settings/env";
import { formatDateTime, type Locale } from "@/lib/text/format";
import en from "@/messages/en.json";
import ptBR from "@/messages/pt-BR.json";

type About = { tenant: string; subject: "incident" | "recovered"; ids: string[]; locale: Locale; link: string };

const isWatch = (name: string): name is WatchName => Object.hasOwn(en.actors.watches, name);

/** Names parts of the console and times, and nothing of customers; null when no incident is left to tell of. */
export async function writeIncidentMail(
  store: Db,
  { tenant, subject, ids, locale, link }: About,
): Promise<{ subject: string; text: string } | null> {
  const say = createTranslator({ locale, messages: locale === "en" ? en : ptBR });
  const rows = await store
    .select()
    .from(healthIncident)
    .where(and(eq(healthIncident.tenant, tenant), inArray(healthIncident.id, ids)))
    .orderBy(asc(healthIncident.openedAt));
  const lines = rows.map(({ kind, subject: name, openedAt, endedAt }) => {
    const what = say(`health.kinds.${kind}`, { name: isWatch(name) ? say(`actors.watches.${name}`) : name });
    const since = formatDateTime(openedAt.toISOString(), locale);
    if (subject === "incident" || endedAt === null) return { what, line: say("incidentMail.began", { what, since }) };
    const until = formatDateTime(endedAt.toISOString(), locale);
    return { what, line: say("incidentMail.ended", { what, since, until }) };
  });
  const [first] = lines;
  if (first === undefined) return null;
  const facts = { company: tenantOf(tenant)?.name ?? tenant, link };
  return {
    subject: say(`incidentMail.subjects.${subject}`, { count: lines.length, what: first.what }),
    text: say(`incidentMail.texts.${subject}`, { ...facts, lines: lines.map(({ line }) => line).join("\n") }),
  };
}
