import { Landmark } from "lucide-react";
import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import Link from "next/link";
import { CreateLink } from "@/app/(console)/onboarding/new/create-link";
import { screen } from "@/app/(console)/screen";
import { ClientMessages } from "@/components/layout/client-messages";
import { type Column, DataTable } from "@/components/table/data-table";
import { EmptyView } from "@/components/table/empty-view";
import { PageHeader } from "@/components/layout/page-header";
import { ProviderText } from "@/components/table/provider-text";
import { listRecentAccounts } from "@/lib/accounts/queries";
import { formatDateTime } from "@/lib/text/format";
import { LookUpForm } from "./look-up-form";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("accounts"))("title") };
}

async function AccountsPage() {
  const [recent, t, locale] = await Promise.all([listRecentAccounts(), getTranslations("accounts"), getLocale()]);
  const columns: Column[] = [
    { header: t("columns.document"), width: "w-[clamp(9.75rem,24cqi,16rem)]" },
    { header: t("columns.branch"), width: "w-[clamp(5rem,12cqi,8rem)]" },
    { header: t("columns.number") },
    { header: t("columns.at"), width: "w-[11rem]", align: "end", from: "medium" },
  ];
  return (
    <>
      <PageHeader title={t("title")}>
        <CreateLink />
      </PageHeader>
      <ClientMessages namespaces={["accounts"]}>
        <LookUpForm />
      </ClientMessages>
      <section aria-labelledby="recent">
        <h2 id="recent" className="border-y border-line bg-canvas px-5 py-2 text-sm font-medium text-muted">
          {t("recent")}
        </h2>
        {recent.length === 0 ? (
          <EmptyView icon={Landmark} title={t("recentEmptyTitle")} body={t("recentEmptyBody")} />
        ) : (
          <DataTable label={t("recent")} columns={columns}>
            {recent.map((account) => (
              <tr key={account.ref}>
                <td>
                  <Link href={`/accounts/${account.ref}`} prefetch={false} className="row-link font-medium">
                    {account.document}
                  </Link>
                </td>
                <td>
                  <ProviderText text={account.branch} />
                </td>
                <td>
                  <ProviderText text={account.number} />
                </td>
                <td data-from="medium" data-align="end">
                  {formatDateTime(account.at, locale)}
                </td>
              </tr>
            ))}
          </DataTable>
        )}
      </section>
    </>
  );
}

export default screen(AccountsPage);
