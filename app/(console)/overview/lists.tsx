import { Countdown } from "@/app/(console)/approvals/countdown";
import { ApprovalSummary } from "@/app/(console)/approvals/approval-words";
import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { KycStepName } from "@/app/(console)/kyc/case-words";
import { Age } from "@/components/freshness/age";
import { StandingMark } from "@/app/(console)/accounts/standing";
import { PartyName, TransferStatus } from "@/app/(console)/transfers/transfer-words";
import { Money } from "@/components/table/money";
import { ProviderText } from "@/components/layout/provider-text";
import { useUnreadReason } from "@/components/freshness/read-state";
import { OnboardingStatusBadge } from "@/components/layout/badges";
import { buttonClass } from "@/components/ui/button";
import type { RecentAccount } from "@/lib/accounts/queries";
import type { ApprovalList } from "@/lib/approvals/queries";
import type { TransferList } from "@/lib/transfers/queries";
import type { KycQueue } from "@/lib/kyc/queries";
import type { OnboardingQueue } from "@/lib/onboarding/queries";
import type { Fresh } from "@/lib/text/page";

const SHOWN = 8;

function useEmptyText(): (fresh: Fresh, whenRead: string) => string {
  const reasonOf = useUnreadReason();
  return (fresh, whenRead) => (fresh.asOf === null || fresh.failure !== null ? reasonOf(fresh.failure) : whenRead);
}

export function FirstCases({ cases, now }: { cases: KycQueue; now: string }) {
  const t = useTranslations("home");
  const queue = useTranslations("kycQueue");
  const emptyText = useEmptyText();
  return (
    <Shortlist
      id="first-cases"
      title={t("latestCases")}
      isEmpty={cases.rows.length === 0}
      empty={emptyText(cases, cases.readSoFar === null ? t("nothingToDecide") : queue("nothingYet"))}
    >
      {cases.rows.slice(0, SHOWN).map((row) => (
        <Line key={row.kycUUID} href={`/kyc/${encodeURIComponent(row.kycUUID)}`} name={row.vatNumber}>
          <span className="min-w-0 flex-1 truncate text-muted">
            <KycStepName process={row.process} />
          </span>
          <When since={row.firstSeenAt} now={now} />
        </Line>
      ))}
    </Shortlist>
  );
}

export function FirstOnboardings({ onboardings, now }: { onboardings: OnboardingQueue; now: string }) {
  const t = useTranslations();
  const emptyText = useEmptyText();
  return (
    <Shortlist
      id="first-onboardings"
      title={t("home.latestHolders")}
      isEmpty={onboardings.rows.length === 0}
      empty={emptyText(onboardings, t("home.nobodyWaits"))}
    >
      {onboardings.rows.slice(0, SHOWN).map((row) => (
        <Line key={row.id} href={`/onboarding/${row.id}`} name={row.document}>
          <span className="min-w-0 flex-1 truncate">
            <OnboardingStatusBadge status={row.status} />
          </span>
          <When since={row.firstSeenAt} now={now} />
        </Line>
      ))}
    </Shortlist>
  );
}

export function RecentAccounts({ accounts, now }: { accounts: RecentAccount[]; now: string }) {
  const t = useTranslations();
  const lookUp = (
    <Link href="/accounts" prefetch={false} className={buttonClass("plain", "small")}>
      <Icon of="search" size={13} />
      {t("home.lookUp")}
    </Link>
  );
  return (
    <Shortlist
      id="recent-accounts"
      title={t("accounts.recent")}
      aside={lookUp}
      isEmpty={accounts.length === 0}
      empty={t("accounts.recentEmptyTitle")}
    >
      {accounts.slice(0, SHOWN).map((account) => (
        <Line key={account.ref} href={`/accounts/${account.ref}`} name={account.document}>
          <span className="min-w-0 flex-1 truncate text-muted">
            <ProviderText text={t("accounts.accountOf", { number: account.number })} />
          </span>
          <StandingMark standing={account.standing} />
          <When since={account.at} now={now} />
        </Line>
      ))}
    </Shortlist>
  );
}

export function LatestTransfers({ transfers, now }: { transfers: TransferList; now: string }) {
  const t = useTranslations();
  return (
    <Shortlist
      id="latest-transfers"
      title={t("home.latestTransfers")}
      isEmpty={transfers.rows.length === 0}
      empty={t("transfers.emptyTitle")}
    >
      {transfers.rows.slice(0, SHOWN).map((row) => (
        <Line
          key={row.id}
          href={`/transfers/${row.id}`}
          name={row.amount === null ? t("transfers.amountUnread") : <Money decimal={row.amount} />}
        >
          <span className="min-w-0 flex-1 basis-40 truncate text-muted">
            <PartyName isOneLine party={row.to} />
          </span>
          <TransferStatus state={row.state} candidateId={row.candidateId} />
          <When since={row.at} now={now} />
        </Line>
      ))}
    </Shortlist>
  );
}

export function FirstApprovals({ approvals, now }: { approvals: ApprovalList; now: string }) {
  const t = useTranslations();
  return (
    <Shortlist
      id="first-approvals"
      title={t("home.latestApprovals")}
      isEmpty={approvals.rows.length === 0}
      empty={t("approvals.emptyWaitingTitle")}
    >
      {approvals.rows.slice(0, SHOWN).map((row) => (
        <Line
          key={row.id}
          href={`/approvals/${row.id}`}
          name={<span className="inline-block min-w-44">{t(`writes.${row.kind}`)}</span>}
        >
          <span className="min-w-0 flex-1 py-1">
            <ApprovalSummary row={row} />
            {row.decision === null ? null : (
              <span className="block text-sm text-muted">{t(`approvals.decision.${row.decision}`)}</span>
            )}
          </span>
          <span className="ml-auto shrink-0 text-sm text-muted">
            <Countdown expiresAt={row.expiresAt} now={now} />
          </span>
        </Line>
      ))}
    </Shortlist>
  );
}

type ShortlistProps = {
  id: string;
  title: string;
  aside?: ReactNode;
  isEmpty: boolean;
  empty: string;
  children: ReactNode;
};

function Shortlist({ id, title, aside, isEmpty, empty, children }: ShortlistProps) {
  return (
    <section aria-labelledby={id} className="min-w-0 border-line @widest:not-first:border-l">
      <div className="flex h-12 items-center justify-between gap-3 px-5">
        <h2 id={id} className="truncate text-sm font-medium text-muted">
          {title}
        </h2>
        {aside}
      </div>
      {isEmpty ? <p className="border-t border-line px-5 py-3 text-faint">{empty}</p> : null}
      <ul className="divide-y divide-line border-line not-empty:border-y">{children}</ul>
    </section>
  );
}

function Line({ href, name, children }: { href: string; name: ReactNode; children: ReactNode }) {
  return (
    <li>
      <Link
        href={href}
        prefetch={false}
        className="flex min-h-9.5 flex-wrap items-center gap-x-3 px-5 py-1 tabular-nums outline-offset-[-2px] hover:bg-hover"
      >
        <span className="min-w-36 shrink-0 font-medium">{name}</span>
        {children}
      </Link>
    </li>
  );
}

function When({ since, now }: { since: string; now: string }) {
  return (
    <span className="ml-auto w-13 shrink-0 text-end text-sm text-muted">
      <Age since={since} now={now} />
    </span>
  );
}
