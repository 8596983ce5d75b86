import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import Link from "next/link";
import { deniedReason } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { CsvLink } from "@/components/table/csv-link";
import { PageHeader } from "@/components/layout/page-header";
import { buttonClass } from "@/components/ui/button";
import { PermittedLink } from "@/components/ui/permitted-link";
import { savedViews } from "@/lib/preferences/queries";
import { hrefWith } from "@/lib/text/page";
import { listTransfers } from "@/lib/transfers/queries";
import { TransferFilter } from "@/lib/transfers/inputs";
import { PixKeyButton } from "./pix-key";
import { TransferList } from "./transfer-list";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("transfers"))("title") };
}

async function TransfersPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const asked = await searchParams;
  const filter = TransferFilter.parse(asked);
  const [scope, saved] = await Promise.all([requireScope(), savedViews.transfers()]);
  const own = saved.find(({ isDefault }) => isDefault);
  if (own !== undefined && Object.keys(asked).length === 0) redirect(`/transfers?${own.search}`);
  const [transfers, t, sent] = await Promise.all([
    listTransfers(filter),
    getTranslations("transfers"),
    getTranslations("sent"),
  ]);
  const [denial, exportDenial] = await Promise.all([
    deniedReason(scope.permissions, "transfers:create"),
    deniedReason(scope.permissions, "statement:export"),
  ]);
  return (
    <>
      <PageHeader title={t("title")}>
        {exportDenial === null ? (
          <CsvLink
            href={hrefWith("/api/exports/transfers", { ...filter, page: undefined, scope: scope.id })}
            label={t("export")}
          />
        ) : null}
        <Link href="/transfers/all" prefetch={false} className={buttonClass("plain")}>
          {sent("all")}
        </Link>
        <PixKeyButton denial={denial} />
        <PermittedLink href="/transfers/new" denial={denial} isPrimary>
          {t("new")}
        </PermittedLink>
      </PageHeader>
      <TransferList key={JSON.stringify(filter)} initial={transfers} filter={filter} saved={saved} />
    </>
  );
}

export default screen("app/(console)/transfers/page", TransfersPage);
