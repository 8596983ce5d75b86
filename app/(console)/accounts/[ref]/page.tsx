import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import Link from "next/link";
import { type ReactNode, Suspense } from "react";
import { screen } from "@/app/(console)/screen";
import { ObjectCalls } from "@/app/(console)/calls/object-calls";
import { denialOf } from "@/app/(console)/denial";
import { requireDesk } from "@/app/(console)/desk";
import { DocumentReveal } from "@/app/(console)/privacy/document-reveal";
import { Looks } from "@/app/(console)/privacy/looks";
import { ClientMessages } from "@/components/client-messages";
import { CopyButton } from "@/components/copy-button";
import { PageHeader } from "@/components/page-header";
import { SectionBoundary } from "@/components/section-boundary";
import { Badge } from "@/components/ui/badge";
import { type AccountView, getAccount, getClosing } from "@/lib/accounts/queries";
import { StatementFilter } from "@/lib/accounts/rules";
import { civilDaysAgo } from "@/lib/time";
import { Balances, BalancesSkeleton } from "./balances";
import { ClosingSection, ClosingStanding } from "./closing-section";
import { ProviderStatus } from "./provider-status";
import { PeriodBar } from "./period-bar";
import { Statement, StatementSkeleton } from "./statement";
import { Timeline } from "./timeline";
import { ProviderText } from "@/components/provider-text";
import { namingHidden } from "@/lib/hidden-signs";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("accounts"))("account") };
}

type AccountPageProps = { params: Promise<{ ref: string }>; searchParams: Promise<Record<string, unknown>> };

async function AccountPage({ params, searchParams }: AccountPageProps) {
  const { ref } = await params;
  const filter = StatementFilter.parse(await searchParams);
  const [desk, account, closing, t] = await Promise.all([
    requireDesk(),
    getAccount(ref),
    getClosing(ref),
    getTranslations(),
  ]);
  if (!account) notFound();
  const denial = await denialOf(desk.permissions, "pii:reveal");
  const closeDenial = await denialOf(desk.permissions, "accounts:close");
  return (
    <>
      <PageHeader
        title={t("accounts.accountOf", { number: namingHidden(account.number) })}
        parent={{ href: "/accounts", label: t("accounts.title") }}
      >
        {closing?.state === "CLOSED" ? <Badge tone="neutral">{t("closing.status")}</Badge> : null}
        {account.onboardingRef ? (
          <Link
            href={`/onboarding/${account.onboardingRef}`}
            prefetch={false}
            className="text-sm text-accent hover:underline"
          >
            {t("accounts.onboarding")}
          </Link>
        ) : null}
      </PageHeader>
      <AccountFacts account={account} denial={denial} />
      <ClosingStanding closing={closing} account={account} denial={closeDenial} />
      <SectionBoundary>
        <Suspense fallback={<BalancesSkeleton />}>
          <Balances accountRef={ref} />
        </Suspense>
      </SectionBoundary>
      <section aria-labelledby="statement">
        <h2 id="statement" className="px-5 pt-6 pb-2 font-semibold">
          {t("accounts.statement")}
        </h2>
        <PeriodBar path={`/accounts/${ref}`} filter={filter} today={civilDaysAgo(0)} />
        <SectionBoundary>
          <Suspense key={JSON.stringify(filter)} fallback={<StatementSkeleton />}>
            <Statement accountRef={ref} filter={filter} />
          </Suspense>
        </SectionBoundary>
      </section>
      <SectionBoundary>
        <Timeline accountRef={ref} />
      </SectionBoundary>
      <ObjectCalls kind="account" id={ref} />
      <Looks kind="account" id={ref} />
      <Suspense fallback={null}>
        <ClosingSection closing={closing} accountRef={ref} permissions={desk.permissions} />
      </Suspense>
    </>
  );
}

export default screen(AccountPage);

type AccountFactsProps = { account: AccountView; denial: string | null };

async function AccountFacts({ account, denial }: AccountFactsProps) {
  const t = await getTranslations("accounts");
  return (
    <Facts>
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <ClientMessages namespaces={["privacy"]}>
          <DocumentReveal masked={account.document} kind="account" id={account.ref} denial={denial} />
        </ClientMessages>
      </span>
      <span>{t(`kind.${account.kind}`)}</span>
      <span>
        {t("branch")} <ProviderText text={account.branch} />
      </span>
      <span className="flex min-w-0 items-center gap-2">
        <code className="min-w-0 font-mono text-sm wrap-anywhere">
          <ProviderText text={account.accountId} />
        </code>
        <CopyButton text={account.accountId} label={t("copyId")} />
      </span>
      <Suspense fallback={null}>
        <ProviderStatus accountRef={account.ref} />
      </Suspense>
    </Facts>
  );
}

/** Facts on a line, a dot between neighbours: where a line begins with one, the dot falls outside and is clipped. */
function Facts({ children }: { children: ReactNode }) {
  return (
    <div className="px-5 pb-4 text-muted tabular-nums">
      <div className="[clip-path:inset(-0.25rem_-0.25rem_-0.25rem_0)]">
        <p className="-ml-4 flex flex-wrap items-center gap-y-1 *:relative *:pl-4 *:before:absolute *:before:left-1.5 *:before:content-['·']">
          {children}
        </p>
      </div>
    </div>
  );
}
