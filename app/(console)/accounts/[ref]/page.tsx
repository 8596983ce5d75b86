import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import Link from "next/link";
import { Suspense } from "react";
import { CopyButton } from "@/components/copy-button";
import { PageHeader } from "@/components/page-header";
import { SectionBoundary } from "@/components/section-boundary";
import { getAccount } from "@/lib/accounts/queries";
import { StatementFilter } from "@/lib/accounts/rules";
import { civilDaysAgo } from "@/lib/time";
import { Balances, BalancesSkeleton } from "./balances";
import { PeriodBar } from "./period-bar";
import { Statement, StatementSkeleton } from "./statement";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("accounts"))("account") };
}

type AccountPageProps = { params: Promise<{ ref: string }>; searchParams: Promise<Record<string, unknown>> };

export default async function AccountPage({ params, searchParams }: AccountPageProps) {
  const { ref } = await params;
  const filter = StatementFilter.parse(await searchParams);
  const [account, t] = await Promise.all([getAccount(ref), getTranslations()]);
  if (!account) notFound();
  return (
    <>
      <PageHeader
        title={t("accounts.accountOf", { number: account.number })}
        parent={{ href: "/accounts", label: t("accounts.title") }}
      >
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
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 px-5 pb-4 text-muted tabular-nums">
        <span className="font-medium text-ink">{account.document}</span>
        <span aria-hidden>·</span> {t(`accounts.kind.${account.kind}`)}
        <span aria-hidden>·</span> {t("accounts.branch")} {account.branch}
        <span aria-hidden>·</span> <code className="font-mono text-sm">{account.accountId}</code>
        <CopyButton text={account.accountId} label={t("accounts.copyId")} />
      </p>
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
    </>
  );
}
