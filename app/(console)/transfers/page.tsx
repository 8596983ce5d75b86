import { Download } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { denialOf } from "@/app/(console)/denial";
import { requireDesk } from "@/app/(console)/desk";
import { screen } from "@/app/(console)/screen";
import { ClientMessages } from "@/components/layout/client-messages";
import { PageHeader } from "@/components/layout/page-header";
import { buttonClass } from "@/components/ui/button";
import { PermittedLink } from "@/components/ui/permitted-link";
import { hrefWith } from "@/lib/text/page";
import { listTransfers } from "@/lib/transfers/queries";
import { TransferFilter } from "@/lib/transfers/rules";
import { TransferList } from "./transfer-list";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("transfers"))("title") };
}

async function TransfersPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const filter = TransferFilter.parse(await searchParams);
  const [desk, transfers, t] = await Promise.all([requireDesk(), listTransfers(filter), getTranslations("transfers")]);
  const [denial, exportDenial] = await Promise.all([
    denialOf(desk.permissions, "transfers:create"),
    denialOf(desk.permissions, "statement:export"),
  ]);
  return (
    <>
      <PageHeader title={t("title")}>
        {exportDenial === null ? (
          <a
            href={hrefWith("/api/exports/transfers", { ...filter, page: undefined, desk: desk.id })}
            download
            aria-label={t("export")}
            className={buttonClass("plain")}
          >
            <Download aria-hidden size={14} />
            CSV
          </a>
        ) : null}
        <PermittedLink href="/transfers/new" denial={denial} isPrimary>
          {t("new")}
        </PermittedLink>
      </PageHeader>
      <ClientMessages namespaces={["paging", "transfers"]}>
        <TransferList key={JSON.stringify(filter)} initial={transfers} filter={filter} />
      </ClientMessages>
    </>
  );
}

export default screen(TransfersPage);
