import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { requireScope, screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { SectionBoundary, UnreadSection } from "@/components/freshness/section-boundary";
import { PageHeader } from "@/components/layout/page-header";
import { LiveRefresh } from "@/components/live/live-refresh";
import { Skeleton } from "@/components/ui/skeleton";
import { readOrDigest } from "@/lib/errors/attempt";
import { getHealth } from "@/lib/health/queries";
import { HealthReport } from "./health-report";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("health"))("title") };
}

async function ReportSkeleton() {
  const t = await getTranslations("common");
  return (
    <output aria-label={t("loading")} className="block space-y-4 px-5 py-4">
      {["w-1/3", "w-2/3", "w-1/2", "w-3/5"].map((width) => (
        <Skeleton key={width} className={`h-3.5 ${width}`} />
      ))}
    </output>
  );
}

async function Report() {
  const read = await readOrDigest(getHealth());
  return read.ok ? <HealthReport health={read.data} /> : <UnreadSection digest={read.digest} said={read.said} />;
}

async function HealthPage() {
  const scope = await requireScope();
  if (!scope.permissions.includes("health:read")) return <ForbiddenView screen="health" />;
  const t = await getTranslations("health");
  return (
    <>
      <LiveRefresh topics={["health"]} everyMinute />
      <PageHeader title={t("title")} lead={t("lead")} />
      <SectionBoundary>
        <Suspense fallback={<ReportSkeleton />}>
          <Report />
        </Suspense>
      </SectionBoundary>
    </>
  );
}

export default screen("app/(console)/health/page", HealthPage);
