import { useLocale, useTranslations } from "next-intl";
import { ChangedValue, VersionHistory } from "@/app/(console)/settings/version-history";
import type { CalendarChange, CalendarStep } from "@/lib/calendar/queries";
import { formatDate } from "@/lib/text/format";

export function CalendarHistory({ history }: { history: CalendarStep[] }) {
  const t = useTranslations("calendar");
  const locale = useLocale();
  const nameOf = (change: CalendarChange) =>
    change.part === "holiday" ? `${t("parts.holiday")}, ${formatDate(change.day, locale)}` : t(`parts.${change.part}`);
  const steps = history.map(({ changes, ...step }) => ({
    ...step,
    changes: changes.map((change) => {
      const name = nameOf(change);
      return { key: name, words: <ChangedValue name={name} before={change.before} after={change.after} /> };
    }),
  }));
  return <VersionHistory none={t("noHistory")} steps={steps} />;
}
