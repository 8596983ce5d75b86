import { Icon } from "@/components/ui/icons";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { deniedReason } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { CreateLink } from "@/app/(console)/onboarding/new/create-link";
import { PageHeader } from "@/components/layout/page-header";
import { UnreadRecords } from "@/components/table/unread-records";
import { buttonClass } from "@/components/ui/button";
import { listAccounts, listUnread } from "@/lib/accounts/queries";
import { AccountFilter } from "@/lib/accounts/inputs";
import { savedViews } from "@/lib/preferences/queries";
import { hrefWith } from "@/lib/text/page";
import { AccountList } from "./account-list";
import { LookUpForm } from "./look-up-form";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("accounts"))("title") };
}

async function AccountsPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const asked = await searchParams;
  const filter = AccountFilter.parse(asked);
  const [scope, saved] = await Promise.all([requireScope(), savedViews.accounts()]);
  const own = saved.find(({ isDefault }) => isDefault);
  if (own !== undefined && Object.keys(asked).length === 0) redirect(`/accounts?${own.search}`);
  const [accounts, unread, t] = await Promise.all([listAccounts(filter), listUnread(), getTranslations("accounts")]);
  const exportDenial = await deniedReason(scope.permissions, "statement:export");
  const { view, kind } = filter;
  return (
    <>
      <PageHeader title={t("title")}>
        {exportDenial === null ? (
          <a
            href={hrefWith("/api/exports/accounts", { view, kind, scope: scope.id })}
            download
            aria-label={t("export")}
            className={buttonClass("plain")}
          >
            <Icon of="download" size={14} />
            CSV
          </a>
        ) : null}
        <CreateLink />
      </PageHeader>
      <LookUpForm />
      <AccountList
        key={JSON.stringify(filter)}
        initial={accounts}
        filter={filter}
        saved={saved}
        unread={unread.length === 0 ? null : <UnreadRecords records={unread} />}
      />
    </>
  );
}

export default screen("app/(console)/accounts/page", AccountsPage);
