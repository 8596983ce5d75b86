import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireDesk } from "@/app/(console)/desk";
import { screen } from "@/app/(console)/screen";
import { ReadAt } from "@/components/live/freshness";
import { LiveRefresh } from "@/components/live/live-refresh";
import { PageHeader } from "@/components/layout/page-header";
import { StaleNotice } from "@/components/live/stale-notice";
import { listRecentAccounts } from "@/lib/accounts/queries";
import { listCases } from "@/lib/kyc/queries";
import { listOnboardings } from "@/lib/onboarding/queries";
import { type Fresh, type Trouble, troubleOf } from "@/lib/text/page";
import { Counts } from "./overview/counts";
import { FirstCases, FirstOnboardings, RecentAccounts } from "./overview/lists";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("home"))("title") };
}

const oldestOf = (areas: readonly Fresh[]) => areas.flatMap(({ asOf }) => asOf ?? []).toSorted()[0] ?? null;

type Area = Fresh & { name: string };

const reasonOf = (area: Fresh) => `${troubleOf(area)} ${area.failure?.code}`;

/** Areas with the same reason count as one. */
function troubledOf(areas: readonly Area[]): { names: string; fresh: Fresh; trouble: Trouble }[] {
  return areas.flatMap((area, place) => {
    const trouble = troubleOf(area);
    if (trouble === null || areas.findIndex((other) => reasonOf(other) === reasonOf(area)) < place) return [];
    const alike = areas.filter((other) => reasonOf(other) === reasonOf(area));
    const names = alike.map(({ name }) => name).join(", ");
    return [{ names, fresh: { ...area, asOf: oldestOf(alike) }, trouble }];
  });
}

async function OverviewPage() {
  const [desk, cases, onboardings, accounts, t] = await Promise.all([
    requireDesk(),
    listCases({ status: "PENDING", sort: "arrival" }),
    listOnboardings({ status: "all", acts: "holder" }),
    listRecentAccounts(),
    getTranslations(),
  ]);
  const now = new Date().toISOString();
  const areas = [
    { ...cases, name: t("shell.kyc") },
    { ...onboardings, name: t("shell.onboarding") },
  ];
  return (
    <>
      <LiveRefresh topics={["kyc", "onboarding"]} tellsFreshness />
      <PageHeader title={t("home.title")} lead={t("home.lead", { tenant: desk.tenant.name })}>
        <span className="text-sm text-muted tabular-nums max-desk:hidden">
          <ReadAt
            asOf={oldestOf(areas)}
            wasTried={areas.some(({ failure, rows }) => failure !== null || rows.length > 0)}
          />
        </span>
      </PageHeader>
      {troubledOf(areas).map(({ names, ...told }) => (
        <StaleNotice key={names} area={names} {...told} />
      ))}
      <Counts kyc={cases} onboarding={onboardings} />
      <div className="grid xl:grid-cols-3">
        <FirstCases cases={cases} now={now} />
        <FirstOnboardings onboardings={onboardings} now={now} />
        <RecentAccounts accounts={accounts} now={now} />
      </div>
    </>
  );
}

export default screen(OverviewPage);
