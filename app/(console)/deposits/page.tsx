import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import Link from "next/link";
import { deniedReason, ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { CsvLink } from "@/components/table/csv-link";
import { PageHeader } from "@/components/layout/page-header";
import { buttonClass } from "@/components/ui/button";
import { DepositFilter } from "@/lib/deposits/inputs";
import { listDeposits } from "@/lib/deposits/queries";
import { savedViews } from "@/lib/preferences/queries";
import { hrefWith } from "@/lib/text/page";
import { DepositList } from "./deposit-list";
import { ExpectButtons } from "./expect-buttons";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("deposits"))("title") };
}

async function DepositsPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("wallets:read")) return <ForbiddenView screen="deposits" />;
  const asked = await searchParams;
  const filter = DepositFilter.parse(asked);
  const saved = await savedViews.deposits();
  const own = saved.find(({ isDefault }) => isDefault);
  if (own !== undefined && Object.keys(asked).length === 0) redirect(`/deposits?${own.search}`);
  const [deposits, denial, t, paid] = await Promise.all([
    listDeposits(filter),
    deniedReason(scope.permissions, "wallets:label"),
    getTranslations("deposits"),
    getTranslations("paid"),
  ]);
  const { before: _, after: __, ...filed } = filter;
  return (
    <>
      <PageHeader title={t("title")}>
        <CsvLink href={hrefWith("/api/exports/deposits", { ...filed, scope: scope.id })} label={t("export")} />
        {scope.permissions.includes("deposits:ask") ? (
          <Link href={hrefWith("/paid", { asked: filter.search })} prefetch={false} className={buttonClass("plain")}>
            {paid("ask")}
          </Link>
        ) : null}
        <ExpectButtons denial={denial} />
      </PageHeader>
      <DepositList key={JSON.stringify(filter)} initial={deposits} filter={filter} saved={saved} />
    </>
  );
}

export default screen("app/(console)/deposits/page", DepositsPage);
