import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { denialOf } from "@/app/(console)/denial";
import { requireDesk } from "@/app/(console)/desk";
import { screen } from "@/app/(console)/screen";
import { ClientMessages } from "@/components/layout/client-messages";
import { PageHeader } from "@/components/layout/page-header";
import { PermittedLink } from "@/components/ui/permitted-link";
import { listTransfers } from "@/lib/transfers/queries";
import { TransferFilter } from "@/lib/transfers/rules";
import { TransferList } from "./transfer-list";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("transfers"))("title") };
}

async function TransfersPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const filter = TransferFilter.parse(await searchParams);
  const [desk, transfers, t] = await Promise.all([requireDesk(), listTransfers(filter), getTranslations("transfers")]);
  const denial = await denialOf(desk.permissions, "transfers:create");
  return (
    <>
      <PageHeader title={t("title")}>
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
