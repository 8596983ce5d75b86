import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { requireScope } from "./screen";
import { screen } from "@/app/(console)/screen";
import { ReadAt } from "@/components/live/freshness";
import { LiveRefresh } from "@/components/live/live-refresh";
import { PageHeader } from "@/components/layout/page-header";
import { StaleNotice } from "@/components/live/stale-notice";
import { cn } from "@/components/ui/cn";
import { listRecentAccounts } from "@/lib/accounts/queries";
import { listApprovals } from "@/lib/approvals/queries";
import type { Role } from "@/lib/auth/permission";
import { listCalls } from "@/lib/calls/queries";
import { listCases } from "@/lib/kyc/queries";
import { listOnboardings } from "@/lib/onboarding/queries";
import { listUnknownOutcomes } from "@/lib/outcomes/queries";
import { listStaff } from "@/lib/staff/queries";
import { type Fresh, type Trouble, troubleOf } from "@/lib/text/page";
import { listTransfers } from "@/lib/transfers/queries";
import { listWallets } from "@/lib/wallets/queries";
import { listReceived } from "@/lib/webhooks/queries";
import { type CountName, Counts } from "./overview/counts";
import { FirstApprovals, FirstCases, FirstOnboardings, LatestTransfers, RecentAccounts } from "./overview/lists";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("home"))("title") };
}

const oldestOf = (areas: readonly Fresh[]) => areas.flatMap(({ asOf }) => asOf ?? []).toSorted()[0] ?? null;

type Area = Fresh & { name: string; hasRows: boolean };

const areaOf = ({ asOf, isStale, failure, rows }: Fresh & { rows: readonly unknown[] }, name: string): Area => ({
  asOf,
  isStale,
  failure,
  name,
  hasRows: rows.length > 0,
});

const reasonOf = (area: Fresh) => `${troubleOf(area)} ${area.failure?.code}`;

/** Areas with the same reason count as one. */
function troubledOf(areas: readonly Area[]): { names: string; fresh: Fresh; trouble: Trouble }[] {
  return areas.flatMap((area, index) => {
    const trouble = troubleOf(area);
    if (trouble === null || areas.findIndex((other) => reasonOf(other) === reasonOf(area)) < index) return [];
    const alike = areas.filter((other) => reasonOf(other) === reasonOf(area));
    const names = alike.map(({ name }) => name).join(", ");
    return [{ names, fresh: { ...area, asOf: oldestOf(alike) }, trouble }];
  });
}

type ListName = "cases" | "onboardings" | "accounts" | "transfers" | "approvals";

/** What waits for whom, first things first. */
const HOMES: Readonly<Record<Role, { counts: readonly CountName[]; lists: readonly ListName[] }>> = {
  compliance: { counts: ["ownCases", "dueCases", "toDecide", "refused"], lists: ["cases", "onboardings"] },
  support: { counts: ["outcomes", "held", "refused"], lists: ["accounts", "transfers", "onboardings"] },
  finance: { counts: ["outcomes", "held", "wallets"], lists: ["transfers", "accounts"] },
  approver: { counts: ["toAuthorise", "toDecide"], lists: ["approvals", "cases"] },
  auditor: { counts: ["toDecide", "refused", "held"], lists: ["cases", "onboardings"] },
  admin: { counts: ["failedCalls", "amiss", "invited", "toAuthorise"], lists: ["approvals", "cases", "onboardings"] },
};

function homeOf(roles: readonly Role[]) {
  const homes = roles.map((role) => HOMES[role]);
  return {
    counts: [...new Set(homes.flatMap(({ counts }) => counts))],
    lists: [...new Set(homes.flatMap(({ lists }) => lists))],
  };
}

async function readAreas({ counts, lists }: ReturnType<typeof homeOf>) {
  const shows = (list: ListName | null, ...names: readonly CountName[]) =>
    (list !== null && lists.includes(list)) || names.some((name) => counts.includes(name));
  const [cases, onboardings, transfers, approvals, outcomes, wallets, calls, received, staff] = await Promise.all([
    shows("cases", "ownCases", "dueCases", "toDecide") ? listCases({ status: "PENDING", sort: "arrival" }) : null,
    shows("onboardings", "refused") ? listOnboardings({ status: "all", acts: "holder" }) : null,
    shows("transfers", "held") ? listTransfers({ view: "all" }) : null,
    shows("approvals", "toAuthorise") ? listApprovals({ view: "waiting" }) : null,
    shows(null, "outcomes") ? listUnknownOutcomes() : null,
    shows(null, "wallets") ? listWallets() : null,
    shows(null, "failedCalls") ? listCalls() : null,
    shows(null, "amiss") ? listReceived() : null,
    shows(null, "invited") ? listStaff() : null,
  ]);
  return { cases, onboardings, transfers, approvals, outcomes, wallets, calls, received, staff };
}

async function OverviewPage() {
  const [scope, t] = await Promise.all([requireScope(), getTranslations()]);
  const home = homeOf(scope.person.roles);
  const [read, accounts] = await Promise.all([
    readAreas(home),
    home.lists.includes("accounts") ? listRecentAccounts() : null,
  ]);
  const { cases, onboardings, transfers, approvals, wallets } = read;
  const now = new Date().toISOString();
  const areas: Area[] = [
    ...(cases === null ? [] : [areaOf(cases, t("shell.kyc"))]),
    ...(onboardings === null ? [] : [areaOf(onboardings, t("shell.onboarding"))]),
    ...(wallets === null ? [] : [areaOf(wallets, t("shell.wallets"))]),
  ];
  const lists: Record<ListName, ReactNode> = {
    cases: cases && <FirstCases key="cases" cases={cases} now={now} />,
    onboardings: onboardings && <FirstOnboardings key="onboardings" onboardings={onboardings} now={now} />,
    accounts: accounts && <RecentAccounts key="accounts" accounts={accounts} now={now} />,
    transfers: transfers && <LatestTransfers key="transfers" transfers={transfers} now={now} />,
    approvals: approvals && <FirstApprovals key="approvals" approvals={approvals} now={now} />,
  };
  return (
    <>
      <LiveRefresh topics={["kyc", "onboarding", "transfers", "approvals", "outcomes", "webhooks"]} followsFreshness />
      <PageHeader title={t("home.title")} lead={t("home.lead", { tenant: scope.tenant.name })}>
        <span className="text-sm text-muted tabular-nums max-wide:hidden">
          <ReadAt asOf={oldestOf(areas)} wasTried={areas.some(({ failure, hasRows }) => failure !== null || hasRows)} />
        </span>
      </PageHeader>
      {troubledOf(areas).map(({ names, ...told }) => (
        <StaleNotice key={names} area={names} {...told} />
      ))}
      <Counts names={home.counts} areas={read} />
      <div className={cn("grid", home.lists.length === 2 ? "xl:grid-cols-2" : "xl:grid-cols-3")}>
        {home.lists.map((name) => lists[name])}
      </div>
    </>
  );
}

export default screen("app/(console)/page", OverviewPage);
