import type { Locale } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import { db } from "@/lib/db/connection";
import type { Actor } from "@/lib/permission/grant";
import type { Download } from "@/lib/query";
import { type CsvColumn, csvMinute, csvName, csvTable } from "@/lib/text/csv";
import { readStaff } from "./listing";
import type { StaffRow } from "./inputs";

type Say = Awaited<ReturnType<typeof getTranslations<never>>>;
type CsvWords = { say: Say; locale: Locale };
type Person = Omit<StaffRow, "isSelf">;

function factorOf({ hasSecondFactor, lacksSecondFactor }: Person, say: Say): string | null {
  if (hasSecondFactor === null) return null;
  if (hasSecondFactor) return say("staff.factorOn");
  return say(lacksSecondFactor ? "staff.factorMissing" : "staff.factorOff");
}

const COLUMNS = [
  { name: "name", csv: ({ name }) => name },
  { name: "email", csv: ({ email }) => email },
  { name: "roles", csv: ({ roles }, { say }) => roles.map((role) => say(`roles.${role}`)).join(", ") },
  { name: "state", csv: ({ state }, { say }) => say(`staff.state.${state}`) },
  { name: "factor", csv: (row, { say }) => factorOf(row, say) },
  {
    name: "lastActive",
    csv: ({ lastActiveAt, hasSecondFactor }, { say, locale }) =>
      lastActiveAt !== null ? csvMinute(lastActiveAt, locale) : hasSecondFactor === null ? null : say("staff.never"),
  },
  { name: "until", csv: ({ expiresAt }, { locale }) => (expiresAt === null ? null : csvMinute(expiresAt, locale)) },
] as const satisfies readonly CsvColumn<Person, CsvWords>[];

export type AccessFileColumn = (typeof COLUMNS)[number]["name"];

/** Everybody with access or an invitation, as CSV; on record before its first byte. */
export async function exportAccessList({ tenant, id }: Actor<"audit:export">): Promise<Download> {
  const [store, say, locale] = await Promise.all([db(), getTranslations(), getLocale()]);
  const rows = await readStaff(store, tenant);
  const detail = { format: "csv", rows: rows.length };
  await record(store, { tenant, actor: id, code: "access.export", outcome: "DONE", detail });
  async function* parts() {
    const { head, line } = csvTable(COLUMNS, { say, locale }, (name) => say(`access.csv.${name}`));
    yield head + rows.map(line).join("");
  }
  return {
    fileName: csvName(say("access.csv.file"), locale),
    contentType: "text/csv; charset=utf-8",
    parts: parts(),
  };
}
