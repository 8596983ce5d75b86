import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { requireDesk } from "@/app/(console)/desk";
import { ForbiddenView } from "@/app/(console)/forbidden-view";
import { screen } from "@/app/(console)/screen";
import { SettingsAreas } from "@/app/(console)/settings/areas";
import { PageHeader } from "@/components/page-header";
import { formatDateTime } from "@/lib/format";
import { getRetention } from "@/lib/privacy/queries";
import { RetentionTable } from "./retention-table";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("retention"))("title") };
}

const inCode = (text: ReactNode) => <code className="font-mono text-ink">{text}</code>;

async function RetentionPage() {
  const desk = await requireDesk();
  if (!desk.permissions.includes("settings:manage")) {
    return <ForbiddenView screen="settings" permission="settings:manage" />;
  }
  const [{ classes, lastRunAt }, t, locale] = await Promise.all([getRetention(), getTranslations(), getLocale()]);
  return (
    <>
      <PageHeader title={t("settings.title")} lead={t("retention.lead")}>
        <span className="text-sm text-muted tabular-nums max-desk:hidden">
          {lastRunAt === null
            ? t("retention.neverRun")
            : t("retention.lastRun", { time: formatDateTime(lastRunAt, locale) })}
        </span>
      </PageHeader>
      <SettingsAreas current="data" />
      <p className="max-w-prose px-5 pt-4 pb-3 text-muted">{t("retention.explain")}</p>
      <RetentionTable classes={classes} />
      <div className="max-w-prose space-y-1.5 px-5 py-4 text-sm text-muted">
        <p>{t.rich("retention.command", { code: inCode })}</p>
        <p>{t("retention.law")}</p>
      </div>
    </>
  );
}

export default screen(RetentionPage);
