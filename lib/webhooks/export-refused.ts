import { getLocale, getTranslations } from "next-intl/server";
import type { Download } from "@/lib/query";
import { type CsvColumn, csvMoment, csvName, csvTable } from "@/lib/text/csv";
import type { Locale } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { namingHidden } from "@/lib/text/safe-link";
import type { RefusedFilter } from "./inputs";
import { readAllRefused } from "./refused-list";
import { ANSWERED, type RefusedRow } from "./view";

type Words = {
  say: Awaited<ReturnType<typeof getTranslations<"refusedDeliveries">>>;
  forms: Awaited<ReturnType<typeof getTranslations<"delivery.form">>>;
  locale: Locale;
};

const COLUMNS = [
  { name: "at", csv: ({ at }, { locale }) => csvMoment(at, locale) },
  { name: "why", csv: ({ why }, { say }) => say(`why.${why}`) },
  { name: "status", csv: ({ why }) => ANSWERED[why] },
  { name: "form", csv: ({ form }, { forms }) => (form === null ? null : forms(form)) },
  { name: "event", csv: ({ event }) => providerText(event) },
  { name: "eventId", csv: ({ eventId }) => (eventId === null ? null : providerText(eventId)) },
  { name: "size", csv: ({ sizeBytes }) => sizeBytes },
  { name: "fingerprint", csv: ({ fingerprint }) => fingerprint },
  {
    name: "headers",
    csv: ({ headers }) =>
      namingHidden(
        Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join(" | "),
      ),
  },
] as const satisfies readonly CsvColumn<RefusedRow, Words>[];

export type RefusedFileColumn = (typeof COLUMNS)[number]["name"];

export async function refusedFile(tenant: string, filter: RefusedFilter): Promise<Download> {
  const [say, forms, locale] = await Promise.all([
    getTranslations("refusedDeliveries"),
    getTranslations("delivery.form"),
    getLocale(),
  ]);
  const { head, line } = csvTable(COLUMNS, { say, forms, locale }, (name) => say(`csv.${name}`));
  async function* parts() {
    yield head;
    yield (await readAllRefused(tenant, filter)).map((row) => line(row)).join("");
  }
  return { fileName: csvName(say("file"), locale), contentType: "text/csv; charset=utf-8", parts: parts() };
}
