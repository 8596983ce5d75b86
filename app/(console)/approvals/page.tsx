import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { screen } from "@/app/(console)/screen";
import { PageHeader } from "@/components/layout/page-header";
import { listApprovals } from "@/lib/approvals/queries";
import { ApprovalFilter } from "@/lib/approvals/inputs";
import { Inbox } from "./inbox";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("approvals"))("title") };
}

async function ApprovalsPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const filter = ApprovalFilter.parse(await searchParams);
  const [list, t] = await Promise.all([listApprovals(filter), getTranslations("approvals")]);
  const { sort, order } = filter;
  return (
    <>
      <PageHeader title={t("title")} />
      <Inbox key={`${list.view} ${list.page} ${sort} ${order}`} initial={list} sort={sort} order={order} />
    </>
  );
}

export default screen("app/(console)/approvals/page", ApprovalsPage);
