import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { deniedReason, ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { PageHeader } from "@/components/layout/page-header";
import { LiveRefresh } from "@/components/live/live-refresh";
import { CsvLink } from "@/components/table/csv-link";
import { getAccessReview } from "@/lib/staff/queries";
import { hrefWith } from "@/lib/text/page";
import { AccessTable } from "./access-table";
import { ReviewButton } from "./review-button";
import { ReviewHistory, ReviewStanding } from "./review-history";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("access"))("title") };
}

async function AccessPage() {
  const scope = await requireScope();
  if (!scope.permissions.includes("audit:read")) return <ForbiddenView screen="access" />;
  const [review, t, denial] = await Promise.all([
    getAccessReview(),
    getTranslations("access"),
    deniedReason(scope.permissions, "staff:manage"),
  ]);
  return (
    <>
      <LiveRefresh topics={["staff"]} everyMinute />
      <PageHeader title={t("title")} lead={t("lead", { tenant: scope.tenant.name })}>
        <CsvLink href={hrefWith("/api/exports/access", { scope: scope.id })} label={t("export")} />
        <ReviewButton seen={review.reviews[0]?.id ?? null} today={review.today} denial={denial} />
      </PageHeader>
      <ReviewStanding review={review} />
      <AccessTable people={review.people} now={review.asOf} isManager={denial === null} />
      <ReviewHistory reviews={review.reviews} />
    </>
  );
}

export default screen("app/(console)/access/page", AccessPage);
