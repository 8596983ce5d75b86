import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireDesk } from "@/app/(console)/desk";
import { PageHeader } from "@/components/page-header";
import { listRecentAccounts } from "@/lib/accounts/queries";
import { listCases } from "@/lib/kyc/queries";
import { listOnboardings } from "@/lib/onboarding/queries";
import { Counts } from "./overview/counts";
import { FirstCases, FirstOnboardings, RecentAccounts } from "./overview/lists";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("home"))("title") };
}

/** What waits for people: counted, and the first of each queue at hand. */
export default async function OverviewPage() {
  const [desk, cases, onboardings, accounts, t] = await Promise.all([
    requireDesk(),
    listCases({ status: "PENDING" }),
    listOnboardings({ status: "action" }),
    listRecentAccounts(),
    getTranslations("home"),
  ]);
  const now = new Date().toISOString();
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead", { tenant: desk.tenant.name })} />
      <Counts kyc={cases.counts} onboarding={onboardings.counts} />
      <div className="grid xl:grid-cols-3">
        <FirstCases cases={cases.rows} now={now} />
        <FirstOnboardings onboardings={onboardings.rows} now={now} />
        <RecentAccounts accounts={accounts} now={now} />
      </div>
    </>
  );
}
