import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { requireScope, screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { SettingsAreas } from "@/app/(console)/settings/areas";
import { LiveRefresh } from "@/components/live/live-refresh";
import { PageHeader } from "@/components/layout/page-header";
import { getCalendar } from "@/lib/calendar/queries";
import { formatDate, formatDateTime } from "@/lib/text/format";
import { CalendarForm } from "./calendar-form";
import { CalendarHistory } from "./calendar-history";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("calendar"))("title") };
}

async function CalendarPage() {
  const scope = await requireScope();
  if (!scope.permissions.includes("settings:manage")) {
    return <ForbiddenView screen="settings" />;
  }
  const [view, t, locale] = await Promise.all([getCalendar(), getTranslations(), getLocale()]);
  const [last] = view.history;
  return (
    <>
      <LiveRefresh topics={["kyc"]} />
      <PageHeader title={t("settings.title")} lead={t("calendar.lead")} />
      <SettingsAreas current="calendar" />
      <div className="max-w-3xl px-5 py-4">
        <p className="max-w-prose text-muted">{t("calendar.explain")}</p>
        <p className="mt-1 max-w-prose text-muted tabular-nums">
          {last === undefined
            ? t("calendar.standard")
            : t("calendar.inForce", {
                version: last.version,
                name: last.byName,
                time: formatDateTime(last.at, locale),
              })}
        </p>
        <CalendarForm view={{ version: view.version, calendar: view.calendar }} />
        <section aria-labelledby="national-holidays" className="border-t border-line py-4">
          <h2 id="national-holidays" className="font-medium">
            {t("calendar.national")}
          </h2>
          <p className="pt-0.5 text-sm text-muted">{t("calendar.nationalHint")}</p>
          <ul className="mt-2 grid gap-x-6 gap-y-1 medium:grid-cols-2">
            {view.national.map(({ day, name }) => (
              <li key={day} className="flex gap-3">
                <span className="w-24 shrink-0 text-muted tabular-nums">{formatDate(day, locale)}</span>
                {t(`calendar.nationals.${name}`)}
              </li>
            ))}
          </ul>
        </section>
        <CalendarHistory history={view.history} />
      </div>
    </>
  );
}

export default screen("app/(console)/settings/calendar/page", CalendarPage);
