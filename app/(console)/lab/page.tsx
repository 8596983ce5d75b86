import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { SectionBoundary, UnreadSection } from "@/components/freshness/section-boundary";
import { PageHeader } from "@/components/layout/page-header";
import { LiveRefresh } from "@/components/live/live-refresh";
import { Skeleton } from "@/components/ui/skeleton";
import { readOrDigest } from "@/lib/errors/attempt";
import { getLab, isLabOpen } from "@/lib/lab/queries";
import { LabBench } from "./lab-bench";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("lab"))("title") };
}

async function BenchSkeleton() {
  const t = await getTranslations("common");
  return (
    <output aria-label={t("loading")} className="block space-y-4 px-5 py-4">
      {["w-1/4", "w-2/3", "w-1/2", "w-3/5"].map((width) => (
        <Skeleton key={width} className={`h-3.5 ${width}`} />
      ))}
    </output>
  );
}

async function Bench() {
  const read = await readOrDigest(getLab());
  return read.ok ? <LabBench lab={read.data} /> : <UnreadSection digest={read.digest} said={read.said} />;
}

async function LabPage() {
  if (!isLabOpen()) notFound();
  const scope = await requireScope();
  if (!scope.permissions.includes("settings:manage")) return <ForbiddenView screen="lab" />;
  const t = await getTranslations("lab");
  return (
    <>
      <LiveRefresh topics={["health"]} everyMinute />
      <PageHeader title={t("title")} lead={t("lead")} />
      <SectionBoundary>
        <Suspense fallback={<BenchSkeleton />}>
          <Bench />
        </Suspense>
      </SectionBoundary>
    </>
  );
}

export default screen("app/(console)/lab/page", LabPage);
