import {
  Banknote,
  CircleCheck,
  CircleX,
  Clock,
  Eye,
  Hourglass,
  Lock,
  type LucideIcon,
  TriangleAlert,
  Undo2,
  UserCheck,
} from "lucide-react";
import type { Metadata } from "next";
import { useLocale, useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import Link from "next/link";
import { notFound } from "next/navigation";
import { type ReactNode, Suspense } from "react";
import { ObjectCalls } from "@/app/(console)/calls/object-calls";
import { denialOf } from "@/app/(console)/denial";
import { requireDesk } from "@/app/(console)/desk";
import { DocumentReveal } from "@/app/(console)/privacy/document-reveal";
import { Looks } from "@/app/(console)/privacy/looks";
import { screen } from "@/app/(console)/screen";
import { DateFilter } from "@/components/form/date-field";
import { ClientMessages } from "@/components/layout/client-messages";
import { PageHeader } from "@/components/layout/page-header";
import { PersonName } from "@/components/layout/person-name";
import { SectionBoundary } from "@/components/layout/section-boundary";
import { LiveRefresh } from "@/components/live/live-refresh";
import { CopyButton } from "@/components/table/copy-button";
import { ProviderText } from "@/components/table/provider-text";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ChoiceLinks } from "@/components/ui/choice-links";
import { type AccountView, getAccount, getClosing, getStatus, getTimeline } from "@/lib/accounts/queries";
import { StatementFilter } from "@/lib/accounts/rules";
import type { AccountEventKind, Closing } from "@/lib/accounts/view";
import type { Permission } from "@/lib/auth/permission";
import { formatDate, formatDateTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { namingHidden } from "@/lib/text/safe-link";
import { civilDaysAgo, firstOfLastDays } from "@/lib/text/time";
import { Balances, BalancesSkeleton } from "./balances";
import { CloseButton } from "./close-button";
import { ClosingNotice } from "./closing-notice";
import { Statement, StatementSkeleton } from "./statement";

type ClosingStandingProps = {
  closing: Closing | null;
  account: AccountView;
  /** Why this person may not say what became of a closure. */
  denial: string | null;
};

/** How far the closure has come, above all else, and kept up to date. */
function ClosingStanding({ closing, account: { ref, branch, number }, denial }: ClosingStandingProps) {
  return (
    <ClientMessages namespaces={["closing", "outcomes"]}>
      <LiveRefresh topics={["transfers"]} object={`account:${ref}`} />
      {closing === null || closing.approvalId === null ? null : (
        <LiveRefresh topics={["approvals"]} object={closing.approvalId} />
      )}
      <ClosingNotice closing={closing} account={`${branch} / ${number}`} denial={denial} />
    </ClientMessages>
  );
}

type ClosingSectionProps = { closing: Closing | null; accountRef: string; permissions: readonly Permission[] };

/** The way to close the account, below all that one comes here for. */
async function ClosingSection({ closing, accountRef, permissions }: ClosingSectionProps) {
  const [t, status] = await Promise.all([getTranslations("closing"), getStatus(accountRef)]);
  if (closing?.state === "CLOSED") return null;
  const isUnderWay = closing !== null && closing.state !== "UNKNOWN";
  const standing = status?.standing === "CLOSED" ? t("closedElsewhere") : isUnderWay ? t("alreadyOpen") : null;
  const denial = (await denialOf(permissions, "accounts:close")) ?? standing;
  return (
    <section aria-labelledby="closing" className="mt-6 border-t border-line px-5 py-5">
      <h2 id="closing" className="font-semibold">
        {t("title")}
      </h2>
      <p className="mt-1 mb-3 max-w-prose text-muted">{t("lead")}</p>
      <ClientMessages namespaces={["closing"]}>
        <CloseButton accountRef={accountRef} denial={denial} isLast={closing === null || closing.state === "PENDING"} />
      </ClientMessages>
    </section>
  );
}

const PRESETS = { today: 1, "7": 7, "30": 30, "90": 90 } as const;

type PeriodBarProps = { path: string; filter: StatementFilter; today: string };

/** The period and the PIX filter, all in the address: a plain form and links, no script needed. */
function PeriodBar({ path, filter, today }: PeriodBarProps) {
  const t = useTranslations("accounts");
  const locale = useLocale();
  const pix = filter.pix || undefined;
  const presets = (["today", "7", "30", "90"] as const).map((name) => {
    const from = firstOfLastDays(PRESETS[name]);
    return {
      href: hrefWith(path, { from, to: today, pix }),
      label: t(`presets.${name}`),
      isCurrent: filter.from === from && filter.to === today,
    };
  });
  const dates = [
    { name: "from", label: t("from"), value: filter.from },
    { name: "to", label: t("to"), value: filter.to },
  ];
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 pb-3">
      <p className="hidden tabular-nums print:block">
        {t("printedPeriod", { from: formatDate(filter.from, locale), to: formatDate(filter.to, locale) })}
        {filter.pix ? ` · ${t("onlyPix")}` : null}
      </p>
      <ChoiceLinks label={t("period")} choices={presets} />
      <form action={path} className="flex flex-wrap items-start gap-2">
        {pix ? <input type="hidden" name="pix" value="true" /> : null}
        {dates.map(({ name, label, value }) => (
          <DateFilter key={`${name} ${value}`} isRequired name={name} label={label} value={value} last={today} />
        ))}
        <Button type="submit" size="small">
          {t("apply")}
        </Button>
      </form>
      <ChoiceLinks
        label={t("entries")}
        choices={[false, true].map((onlyPix) => ({
          href: hrefWith(path, { from: filter.from, to: filter.to, pix: onlyPix }),
          label: onlyPix ? t("onlyPix") : t("allEntries"),
          isCurrent: filter.pix === onlyPix,
        }))}
      />
    </div>
  );
}

/** How the account stands by the provider's own record, in its word where that is none of the known ones. */
async function ProviderStatus({ accountRef }: { accountRef: string }) {
  const [status, t] = await Promise.all([getStatus(accountRef), getTranslations("accounts.providerStatus")]);
  if (status === null) return <span>{t("unread")}</span>;
  const { word, standing } = status;
  if (standing !== "UNTOLD") return <span>{t("told", { status: t(standing) })}</span>;
  if (word === "") return <span>{t("untold")}</span>;
  return (
    <span>
      {t("label")} <ProviderText text={word} />
    </span>
  );
}

const ICONS: Record<AccountEventKind, LucideIcon> = {
  opened: Banknote,
  known: Eye,
  "closing-proposed": UserCheck,
  "closing-authorised": CircleCheck,
  "closing-refused": CircleX,
  "closing-withdrawn": Undo2,
  "closing-expired": Clock,
  "closing-failed": TriangleAlert,
  "closing-sent": Hourglass,
  "closing-rejected": CircleX,
  closed: Lock,
};

/** What happened to the account, newest first. */
async function Timeline({ accountRef }: { accountRef: string }) {
  const [events, t, locale] = await Promise.all([
    getTimeline(accountRef),
    getTranslations("accountTimeline"),
    getLocale(),
  ]);
  return (
    <section aria-labelledby="timeline" className="pb-5">
      <h2 id="timeline" className="px-5 pt-6 pb-2 font-semibold">
        {t("title")}
      </h2>
      <ol className="border-y border-line py-1.5">
        {events.map(({ kind, at, byName, isMine }) => {
          const Icon = ICONS[kind];
          return (
            <li key={`${kind} ${at}`} className="flex items-start gap-2.5 px-5 py-1.5">
              <Icon aria-hidden size={14} className="mt-0.75 shrink-0 text-faint" />
              <p className="min-w-0 flex-1 wrap-anywhere">
                {t(`event.${kind}`)}
                {byName === null ? null : (
                  <span className="text-muted">
                    {" "}
                    <PersonName name={t("byName", { name: byName })} you={isMine ? t("byYou") : null} />
                  </span>
                )}
              </p>
              <time dateTime={at} className="shrink-0 text-sm text-muted tabular-nums">
                {formatDateTime(at, locale)}
              </time>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

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
