import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { SettingsAreas } from "@/app/(console)/settings/areas";
import { ChangedValue, VersionHistory } from "@/app/(console)/settings/version-history";
import { PageHeader } from "@/components/layout/page-header";
import { BOUND_NAMES } from "@/lib/privacy/alarm-view";
import { getAlarmBounds } from "@/lib/privacy/queries";
import { formatDateTime } from "@/lib/text/format";
import { BoundsForm } from "./bounds-form";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("alarmBounds"))("title") };
}

async function AlarmBoundsPage() {
  const scope = await requireScope();
  if (!scope.permissions.includes("settings:manage")) return <ForbiddenView screen="settings" />;
  const [view, t, locale] = await Promise.all([getAlarmBounds(), getTranslations(), getLocale()]);
  const [last] = view.history;
  const steps = view.history.map(({ before, after, version, byName, at }) => ({
    version,
    byName: byName ?? t("addressList.command"),
    at,
    changes: BOUND_NAMES.filter((name) => before[name] !== after[name]).map((name) => ({
      key: name,
      words: (
        <ChangedValue name={t(`alarmBounds.names.${name}`)} before={String(before[name])} after={String(after[name])} />
      ),
    })),
  }));
  return (
    <>
      <PageHeader title={t("settings.title")} lead={t("alarmBounds.lead")} />
      <SettingsAreas current="alarms" />
      <div className="max-w-3xl px-5 py-4">
        <p className="max-w-prose text-muted">{t("alarmBounds.explain")}</p>
        <p className="mt-1 max-w-prose text-muted tabular-nums">
          {last === undefined
            ? t("alarmBounds.standard")
            : t("alarmBounds.inForce", {
                version: last.version,
                name: last.byName ?? t("addressList.command"),
                time: formatDateTime(last.at, locale),
              })}
        </p>
        <BoundsForm view={{ version: view.version, bounds: view.bounds }} />
        <VersionHistory none={t("alarmBounds.noHistory")} steps={steps} />
      </div>
    </>
  );
}

export default screen("app/(console)/settings/alarms/page", AlarmBoundsPage);
