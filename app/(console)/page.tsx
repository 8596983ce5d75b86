import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { StateOfRecord } from "@/app/(console)/audit/state-of-record";
import { requireScope, screen } from "./screen";
import { ReadAt } from "@/components/freshness/freshness";
import { LiveRefresh } from "@/components/live/live-refresh";
import { PageHeader } from "@/components/layout/page-header";
import { StaleNotice } from "@/components/freshness/stale-notice";
import { cn } from "@/components/ui/cn";
import { listRecentAccounts } from "@/lib/accounts/queries";
import { listApprovals } from "@/lib/approvals/queries";
import { getOversight } from "@/lib/audit-trail/queries";
import { can, type Role } from "@/lib/permission/permission";
import { getStanding, listCalls, listMinutes } from "@/lib/calls/queries";
import { getHealth } from "@/lib/health/queries";
import { getWorkload, listCases } from "@/lib/kyc/queries";
import { getFirstSteps } from "@/lib/first-steps/queries";
import { getFunnel, listOnboardings } from "@/lib/onboarding/queries";
import { listUnknownOutcomes } from "@/lib/outcomes/queries";
import { getPosition, listGroupLine } from "@/lib/position/queries";
import { figuresOf, groupToDraw } from "@/lib/position/view";
import { listStaff } from "@/lib/staff/queries";
import { type Fresh, type Trouble, troubleOf } from "@/lib/text/page";
import { listTransfers } from "@/lib/transfers/queries";
import { listSends, listWallets } from "@/lib/wallets/queries";
import { listDeliveryHours, listReceived } from "@/lib/webhooks/queries";
import { FirstStepList } from "./overview/first-step-list";
import { type CountName, Counts } from "./overview/counts";
import { FirstApprovals, FirstCases, FirstOnboardings, LatestTransfers, RecentAccounts } from "./overview/lists";
import {
  CallsPicture,
  CaseFlow,
  Deadlines,
  DeliveriesPicture,
  OnboardingFunnel,
  OversightPicture,
} from "./overview/pictures";
import { PositionPicture } from "./overview/position-picture";

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

/** Areas that failed for the same reason share one notice. */
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

type PictureName = "caseFlow" | "deadlines" | "funnel" | "oversight" | "calls" | "deliveries" | "position";

type Home = { counts: readonly CountName[]; pictures: readonly PictureName[]; lists: readonly ListName[] };

/** The most important work first, by role. */
const HOMES: Readonly<Record<Role, Home>> = {
  compliance: {
    counts: ["ownCases", "dueCases", "toDecide", "refused"],
    pictures: ["caseFlow", "deadlines", "funnel"],
    lists: ["cases", "onboardings"],
  },
  support: {
    counts: ["outcomes", "held", "refused"],
    pictures: ["funnel"],
    lists: ["accounts", "transfers", "onboardings"],
  },
  finance: {
    counts: ["outcomes", "held", "heldCoins", "wallets"],
    pictures: ["position"],
    lists: ["transfers", "accounts"],
  },
  approver: { counts: ["toAuthorise", "toDecide"], pictures: [], lists: ["approvals", "cases"] },
  auditor: {
    counts: ["incidents", "toDecide", "refused", "held", "heldCoins"],
    pictures: ["oversight"],
    lists: ["cases", "onboardings"],
  },
  admin: {
    counts: ["incidents", "failedCalls", "needsAttention", "invited", "toAuthorise"],
    pictures: ["calls", "deliveries"],
    lists: ["approvals", "cases"],
  },
};

function homeOf(roles: readonly Role[]): Home {
  const homes = roles.map((role) => HOMES[role]);
  return {
    counts: [...new Set(homes.flatMap(({ counts }) => counts))],
    pictures: [...new Set(homes.flatMap(({ pictures }) => pictures))],
    lists: [...new Set(homes.flatMap(({ lists }) => lists))],
  };
}

async function readAreas({ counts, lists }: Home) {
  const shows = (list: ListName | null, ...names: readonly CountName[]) =>
    (list !== null && lists.includes(list)) || names.some((name) => counts.includes(name));
  const [cases, onboardings, transfers, heldCoins, approvals, outcomes, wallets, calls, received, staff, health] =
    await Promise.all([
      shows("cases", "ownCases", "dueCases", "toDecide") ? listCases({ status: "PENDING", sort: "arrival" }) : null,
      shows("onboardings", "refused") ? listOnboardings({ status: "all", acts: "holder" }) : null,
      shows("transfers", "held") ? listTransfers({ view: "all" }) : null,
      shows(null, "heldCoins") ? listSends({ view: "open", state: "HELD" }) : null,
      shows("approvals", "toAuthorise") ? listApprovals({ view: "waiting" }) : null,
      shows(null, "outcomes") ? listUnknownOutcomes() : null,
      shows(null, "wallets") ? listWallets() : null,
      shows(null, "failedCalls") ? listCalls() : null,
      shows(null, "needsAttention") ? listReceived() : null,
      shows(null, "invited") ? listStaff() : null,
      shows(null, "incidents") ? getHealth() : null,
    ]);
  return { cases, onboardings, transfers, heldCoins, approvals, outcomes, wallets, calls, received, staff, health };
}

async function readPosition() {
  const position = await getPosition();
  const group = groupToDraw(figuresOf(position.sums));
  return { position, group, line: group === null ? null : await listGroupLine({ group, day: position.day }) };
}

async function readPictures({ pictures }: Home) {
  const shows = (...names: readonly PictureName[]) => names.some((name) => pictures.includes(name));
  const [workload, funnel, oversight, minutes, hours, position] = await Promise.all([
    shows("caseFlow", "deadlines") ? getWorkload() : null,
    shows("funnel") ? getFunnel() : null,
    shows("oversight") ? getOversight() : null,
    shows("calls") ? listMinutes() : null,
    shows("deliveries") ? listDeliveryHours() : null,
    shows("position") ? readPosition() : null,
  ]);
  return { workload, funnel, oversight, minutes, hours, position };
}

const gridClass = (count: number) =>
  cn("grid", count === 2 && "@widest:grid-cols-2", count > 2 && "@widest:grid-cols-3");

async function OverviewPage() {
  const [scope, t] = await Promise.all([requireScope(), getTranslations()]);
  const home = homeOf(scope.person.roles);
  const [read, pictured, accounts, { silentSince }, firstSteps] = await Promise.all([
    readAreas(home),
    readPictures(home),
    home.lists.includes("accounts") ? listRecentAccounts() : null,
    getStanding(),
    can(scope.person.roles, "settings:manage") ? getFirstSteps() : null,
  ]);
  const { cases, onboardings, transfers, approvals, wallets } = read;
  const now = new Date().toISOString();
  const areas: Area[] = [
    ...(cases === null ? [] : [areaOf(cases, t("kyc.title"))]),
    ...(onboardings === null ? [] : [areaOf(onboardings, t("onboarding.title"))]),
    ...(wallets === null ? [] : [areaOf(wallets, t("wallets.title"))]),
  ];
  const { workload, funnel, oversight, minutes, hours, position } = pictured;
  const pictures: Record<PictureName, ReactNode> = {
    caseFlow: workload && cases && <CaseFlow key="caseFlow" workload={workload} cases={cases} />,
    deadlines: workload && cases && <Deadlines key="deadlines" workload={workload} cases={cases} />,
    funnel: funnel && onboardings && <OnboardingFunnel key="funnel" funnel={funnel} onboardings={onboardings} />,
    oversight: oversight && <OversightPicture key="oversight" oversight={oversight} />,
    calls: minutes && <CallsPicture key="calls" minutes={minutes} now={now} />,
    deliveries: hours && <DeliveriesPicture key="deliveries" hours={hours} now={now} />,
    position: position && <PositionPicture key="position" {...position} />,
  };
  const lists: Record<ListName, ReactNode> = {
    cases: cases && <FirstCases key="cases" cases={cases} now={now} />,
    onboardings: onboardings && <FirstOnboardings key="onboardings" onboardings={onboardings} now={now} />,
    accounts: accounts && <RecentAccounts key="accounts" accounts={accounts} now={now} />,
    transfers: transfers && <LatestTransfers key="transfers" transfers={transfers} now={now} />,
    approvals: approvals && <FirstApprovals key="approvals" approvals={approvals} now={now} />,
  };
  return (
    <>
      <LiveRefresh
        topics={[
          "kyc",
          "onboarding",
          "transfers",
          "wallets",
          "approvals",
          "outcomes",
          "webhooks",
          "position",
          "health",
        ]}
        everyMinute
      />
      <PageHeader title={t("home.title")} lead={t("home.lead", { tenant: scope.tenant.name })}>
        <span className="text-sm text-muted tabular-nums max-wide:hidden">
          <ReadAt
            isOfLists
            asOf={oldestOf(areas)}
            wasTried={areas.some(({ failure, hasRows }) => failure !== null || hasRows)}
          />
        </span>
      </PageHeader>
      {silentSince === null
        ? troubledOf(areas).map(({ names, ...told }) => <StaleNotice key={names} area={names} {...told} />)
        : null}
      {firstSteps && <FirstStepList steps={firstSteps} tenant={scope.tenant.name} />}
      <Counts names={home.counts} areas={read} />
      {oversight && <StateOfRecord state={oversight.state} />}
      {home.pictures.length === 0 ? null : (
        <div className={gridClass(home.pictures.length)}>{home.pictures.map((name) => pictures[name])}</div>
      )}
      <div className={gridClass(home.lists.length)}>{home.lists.map((name) => lists[name])}</div>
    </>
  );
}

export default screen("app/(console)/page", OverviewPage);
