import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { requireDesk } from "@/app/(console)/desk";
import { screen } from "@/app/(console)/screen";
import { LiveRefresh } from "@/components/live-refresh";
import { PageHeader } from "@/components/page-header";
import { StaleNotice } from "@/components/stale-notice";
import { listRecentAccounts } from "@/lib/accounts/queries";
import { formatTime } from "@/lib/format";
import { listCases } from "@/lib/kyc/queries";
import { listOnboardings } from "@/lib/onboarding/queries";
import { Counts } from "./overview/counts";
import { FirstCases, FirstOnboardings, RecentAccounts } from "./overview/lists";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("home"))("title") };
}

/** The older of two readings; null while one was never made. */
function oldestOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return null;
  return one < other ? one : other;
}

/** What waits for people: counted, and the first of each queue at hand. */
async function OverviewPage() {
  const [desk, cases, onboardings, accounts, t, locale] = await Promise.all([
    requireDesk(),
    listCases({ status: "PENDING", sort: "arrival" }),
    listOnboardings({ status: "all", acts: "holder" }),
    listRecentAccounts(),
    getTranslations(),
    getLocale(),
  ]);
  const now = new Date().toISOString();
  const asOf = oldestOf(cases.asOf, onboardings.asOf);
  return (
    <>
      <LiveRefresh topics={["kyc", "onboarding"]} tellsFreshness />
      <PageHeader title={t("home.title")} lead={t("home.lead", { tenant: desk.tenant.name })}>
        <span className="text-sm text-muted tabular-nums max-desk:hidden">
          {asOf ? t("common.updatedAt", { time: formatTime(asOf, locale) }) : t("common.neverUpdated")}
        </span>
      </PageHeader>
      {cases.isStale || onboardings.isStale ? <StaleNotice asOf={asOf} isSignedOut={false} /> : null}
      <Counts kyc={cases.counts} onboarding={onboardings} />
      <div className="grid xl:grid-cols-3">
        <FirstCases cases={cases.rows} now={now} />
        <FirstOnboardings onboardings={onboardings.rows} now={now} />
        <RecentAccounts accounts={accounts} now={now} />
      </div>
    </>
  );
}

export default screen(OverviewPage);
