import { Icon } from "@/components/ui/icons";
import { getTranslations } from "next-intl/server";
import { deniedReason } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { PermittedLink } from "@/components/ui/permitted-link";
import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { RefusedWrites } from "@/app/(console)/outcomes/refused-writes";
import { PageHeader } from "@/components/layout/page-header";
import { UnreadRecords } from "@/components/table/unread-records";
import { buttonClass } from "@/components/ui/button";
import { type Absence, listCases, listUnread } from "@/lib/kyc/queries";
import { KycFilter } from "@/lib/kyc/inputs";
import { caseQueueSearch } from "@/lib/kyc/view";
import { listRefusedOfKyc } from "@/lib/outcomes/queries";
import { savedViews } from "@/lib/preferences/queries";
import { civilDaysAgo, civilMinute } from "@/lib/text/time";
import { Queue } from "./queue";
import { AwayButton, AwayNotice } from "./triage/away-button";

async function StartLink() {
  const [scope, t] = await Promise.all([requireScope(), getTranslations("kycStart")]);
  return (
    <PermittedLink href="/kyc/new" denial={await deniedReason(scope.permissions, "kyc:start")}>
      <Icon of="plus" size={14} />
      {t("button")}
    </PermittedLink>
  );
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("kyc"))("title") };
}

/** The end of the absence, else tomorrow morning in São Paulo. */
const returnOf = ({ until }: Absence) => (until === null ? `${civilDaysAgo(-1)}T09:00` : civilMinute(new Date(until)));

/** A stored filter may spell out what has become the default. */
const asWrittenNow = (search: string) =>
  caseQueueSearch(KycFilter.parse(Object.fromEntries(new URLSearchParams(search))));

async function KycPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const asked = await searchParams;
  const { ids: _, ...filter } = KycFilter.parse(asked);
  const scope = await requireScope();
  const mayAssign = scope.permissions.includes("kyc:assign");
  const [stored, { absence: own, ...cases }, unread, t, denial] = await Promise.all([
    savedViews.kyc(),
    listCases(filter),
    listUnread(),
    getTranslations("kyc"),
    deniedReason(scope.permissions, "kyc:decide"),
  ]);
  const absence = mayAssign ? own : null;
  const saved = stored.map((view) => ({ ...view, search: asWrittenNow(view.search) }));
  const preferred = saved.find(({ isDefault }) => isDefault);
  // Only the plain URL opens the person's default view.
  if (preferred !== undefined && preferred.search !== "" && Object.keys(asked).length === 0) {
    redirect(`/kyc?${preferred.search}`);
  }
  return (
    <>
      <PageHeader title={t("title")}>
        <Link href="/kyc/figures" prefetch={false} className={buttonClass("quiet")}>
          <Icon of="chart-no-axes-column" size={14} />
          <span className="max-medium:sr-only">{t("figures")}</span>
        </Link>
        {absence === null ? null : <AwayButton absence={absence} suggestion={returnOf(absence)} />}
        <StartLink />
      </PageHeader>
      {absence === null || absence.until === null ? null : <AwayNotice until={absence.until} />}
      <Queue
        initial={cases}
        filter={filter}
        saved={saved}
        denial={denial}
        mayAssign={mayAssign}
        unread={unread.length === 0 ? null : <UnreadRecords records={unread} />}
      />
      <RefusedWrites read={listRefusedOfKyc(null)} />
    </>
  );
}

export default screen("app/(console)/kyc/page", KycPage);
