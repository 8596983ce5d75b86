import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { requireScope, screen } from "@/app/(console)/screen";
import { PageHeader } from "@/components/layout/page-header";
import { listApprovals } from "@/lib/approvals/queries";
import { ApprovalFilter } from "@/lib/approvals/inputs";
import { CsvLink } from "@/components/table/csv-link";
import { savedViews } from "@/lib/preferences/queries";
import { hrefWith } from "@/lib/text/page";
import { APPROVAL_KIND_NAMES } from "@/lib/permission/writes";
import { Inbox } from "./inbox";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("approvals"))("title") };
}

async function ApprovalsPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const asked = await searchParams;
  const filter = ApprovalFilter.parse(asked);
  const [scope, saved] = await Promise.all([requireScope(), savedViews.approvals()]);
  const own = saved.find(({ isDefault }) => isDefault);
  if (own !== undefined && Object.keys(asked).length === 0) redirect(`/approvals?${own.search}`);
  const [list, t] = await Promise.all([listApprovals(filter), getTranslations("approvals")]);
  return (
    <>
      <PageHeader title={t("title")}>
        <CsvLink
          href={hrefWith("/api/exports/approvals", { ...filter, view: list.view, page: null, scope: scope.id })}
          label={t("export")}
        />
      </PageHeader>
      <Inbox key={JSON.stringify(filter)} initial={list} filter={filter} kinds={APPROVAL_KIND_NAMES} saved={saved} />
    </>
  );
}

export default screen("app/(console)/approvals/page", ApprovalsPage);
