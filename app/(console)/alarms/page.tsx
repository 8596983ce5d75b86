import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import Link from "next/link";
import { deniedReason, ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { EmptyView } from "@/components/layout/empty-view";
import { PageHeader } from "@/components/layout/page-header";
import { LiveRefresh } from "@/components/live/live-refresh";
import { listAlarms } from "@/lib/privacy/queries";
import { AlarmTable } from "./alarm-table";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("alarms"))("title") };
}

async function AlarmsPage() {
  const scope = await requireScope();
  if (!scope.permissions.includes("audit:read")) return <ForbiddenView screen="alarms" />;
  const [alarms, t, denial] = await Promise.all([
    listAlarms(),
    getTranslations("alarms"),
    deniedReason(scope.permissions, "staff:manage"),
  ]);
  const open = alarms.filter(({ endedAt }) => endedAt === null);
  const ended = alarms.filter(({ endedAt }) => endedAt !== null);
  return (
    <>
      <LiveRefresh topics={["audit"]} everyMinute />
      <PageHeader title={t("title")} lead={t("lead")}>
        {scope.permissions.includes("settings:manage") ? (
          <Link href="/settings/alarms" prefetch={false} className="text-sm text-accent hover:underline">
            {t("limits")}
          </Link>
        ) : null}
      </PageHeader>
      <section aria-labelledby="open-alarms" className="border-t border-line">
        <h2 id="open-alarms" className="px-5 pt-4 pb-2 font-semibold">
          {t("open")}
        </h2>
        {open.length === 0 ? (
          <EmptyView icon="shield-alert" title={t("noneOpen")} body={t("noneOpenBody")} />
        ) : (
          <AlarmTable label={t("open")} alarms={open} denial={denial} />
        )}
      </section>
      <section aria-labelledby="ended-alarms">
        <h2 id="ended-alarms" className="px-5 pt-6 pb-2 font-semibold">
          {t("ended")}
        </h2>
        {ended.length === 0 ? (
          <p className="px-5 pb-4 text-muted">{t("noneEnded")}</p>
        ) : (
          <AlarmTable label={t("ended")} alarms={ended} denial={denial} />
        )}
      </section>
    </>
  );
}

export default screen("app/(console)/alarms/page", AlarmsPage);
