import { NotFoundView } from "@/components/layout/empty-view";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import Link from "next/link";
import { type ReactNode, Suspense } from "react";
import { ObjectCalls } from "@/app/(console)/calls/object-calls";
import { FileDesk } from "@/app/(console)/notes/file-desk";
import { Files } from "@/app/(console)/notes/files";
import { Notes } from "@/app/(console)/notes/notes";
import { deniedReason } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { RefusedWrites } from "@/app/(console)/outcomes/refused-writes";
import { RelatedSection } from "@/app/(console)/kyc/related-section";
import { DocumentReveal } from "@/app/(console)/privacy/document-reveal";
import { AccessLog } from "@/app/(console)/privacy/access-log";
import { PageHeader } from "@/components/layout/page-header";
import { RecordColumns, RecordSection } from "@/components/layout/record-columns";
import { SectionBoundary, UnreadSection } from "@/components/freshness/section-boundary";
import { LiveRefresh } from "@/components/live/live-refresh";
import { CopyButton } from "@/components/table/copy-button";
import { ProviderText } from "@/components/layout/provider-text";
import { Badge } from "@/components/ui/badge";
import { PermittedLink } from "@/components/ui/permitted-link";
import { Skeleton } from "@/components/ui/skeleton";
import { approvalCan } from "@/lib/approvals/can";
import { addAccountNote, removeAccountFile, retractAccountNote } from "@/lib/accounts/actions";
import {
  type AccountView,
  balancesByDay,
  type BalanceView,
  getAccount,
  getBalance,
  getCasework,
  getClosing,
  getRecord,
  getRelated,
  getStatementView,
  getUser,
  openingOf,
} from "@/lib/accounts/queries";
import { accountCan } from "@/lib/accounts/can";
import { statementFilterValues, StatementFilter } from "@/lib/accounts/inputs";
import type { Closing } from "@/lib/accounts/view";
import type { Permission } from "@/lib/permission/permission";
import { listRefusedOfAccounts } from "@/lib/outcomes/queries";
import { listTransfers } from "@/lib/transfers/queries";
import { readOrDigest } from "@/lib/errors/attempt";
import type { ReadFailure } from "@/lib/errors/result";
import { namingHidden } from "@/lib/text/safe-link";
import { LetterFiles } from "./letter";
import { BalanceFigures, LiveBalances } from "./live-balances";
import { ClosingNotice, CloseButton } from "./closing-notice";
import { CLOSING_NOTICE } from "./closing-place";
import { AccountStatus, HolderName, Record, RecordSkeleton, Timeline, UserNotice, UserWallets } from "./record";
import { PeriodSums, PeriodSumsSkeleton, StatementExport, StatementFilters } from "./period";
import { Statement, StatementSkeleton } from "./statement";

type ClosingStandingProps = {
  closing: Closing | null;
  account: AccountView;
  denial: string | null;
};

function ClosingStanding({ closing, account: { ref, branch, number }, denial }: ClosingStandingProps) {
  const mayComplete = closing !== null && "isMine" in closing && approvalCan.complete(closing) === null;
  return (
    <>
      <LiveRefresh topics={["transfers"]} object={`account:${ref}`} />
      {closing === null || closing.approvalId === null ? null : (
        <LiveRefresh topics={["approvals"]} object={closing.approvalId} />
      )}
      <ClosingNotice closing={closing} account={`${branch} / ${number}`} denial={denial} mayComplete={mayComplete} />
    </>
  );
}

type RecordRead = ReturnType<typeof getRecord>;

type ClosingSectionProps = {
  closing: Closing | null;
  accountRef: string;
  recordRead: RecordRead;
  permissions: readonly Permission[];
};

const UNCLOSABLE = { closed: "closedElsewhere", proposed: "alreadyOpen", pending: "obstacle.pending" } as const;

async function ClosingSection({ closing, accountRef, recordRead, permissions }: ClosingSectionProps) {
  const [t, record] = await Promise.all([getTranslations("closing"), recordRead]);
  if (closing?.state === "CLOSED") return null;
  const obstacle = accountCan.beginClosing(closing, record?.standing ?? "UNKNOWN");
  const blocked = obstacle === null ? null : t(UNCLOSABLE[obstacle]);
  const denial = (await deniedReason(permissions, "accounts:close")) ?? blocked;
  return (
    <RecordSection id="closing" title={t("title")}>
      <div className="px-5">
        <p className="mb-3 max-w-prose text-muted">{t("lead")}</p>
        {closing !== null && blocked !== null ? (
          <p className="mb-3">
            <a href={`#${CLOSING_NOTICE}`} className="text-accent hover:underline">
              {blocked}
            </a>
          </p>
        ) : null}
        <CloseButton accountRef={accountRef} denial={denial} isLast={closing === null || closing.state === "PENDING"} />
      </div>
    </RecordSection>
  );
}

type SamePersonProps = { accountRef: string; onboardingRef: string | null };

async function SamePerson({ accountRef, onboardingRef }: SamePersonProps) {
  const { onboardings: all, ...others } = await getRelated(accountRef);
  // The page links to its own onboarding separately.
  const onboardings = all.filter(({ id }) => id !== onboardingRef);
  if (others.cases.length + others.accounts.length + onboardings.length === 0) return null;
  return <RelatedSection related={{ ...others, onboardings }} by="account" />;
}

type CaseworkProps = { accountRef: string; scope: { id: string; permissions: readonly Permission[] } };

async function Casework({ accountRef, scope }: CaseworkProps) {
  const [t, { notes, files }, denial] = await Promise.all([
    getTranslations("casework"),
    getCasework(accountRef),
    deniedReason(scope.permissions, "accounts:note"),
  ]);
  const put = { id: accountRef, denial, heldReason: null };
  return (
    <>
      <Notes {...put} notes={notes} hint={t("accountNotesHint")} add={addAccountNote} retract={retractAccountNote} />
      <Files
        {...put}
        address={`/api/accounts/${accountRef}/files`}
        files={files}
        scope={scope.id}
        remove={removeAccountFile}
      />
    </>
  );
}

type BalanceRead = ReturnType<typeof getBalance>;

const PASSING: readonly string[] = ["unavailable", "rate-limited", "malformed"];

async function balanceWords() {
  const [t, standings] = await Promise.all([getTranslations("accounts"), getTranslations("standings")]);
  return {
    available: t("available"),
    blocked: t("blocked"),
    blockedNone: t("blockedNone"),
    blockedSome: t("blockedSome"),
    total: t("total"),
    untold: t("untold"),
    standings: {
      OPEN: standings("OPEN"),
      CLOSED: standings("CLOSED"),
      BLOCKED: standings("BLOCKED"),
    },
  };
}

type BalancesProps = { accountRef: string; read: BalanceRead; known: BalanceView | null };

async function Balances({ accountRef, read, known }: BalancesProps) {
  const [now, { rows }, words] = await Promise.all([
    readOrDigest(read),
    listTransfers({ view: "held", account: accountRef }),
    balanceWords(),
  ]);
  const held = rows.map(({ id, amount, antifraudId, until }) => ({ id, amount, antifraudId, until }));
  const shown = (balance: BalanceView, failure: ReadFailure | null) => (
    <LiveBalances
      key={balance.asOf}
      accountRef={accountRef}
      initial={balance}
      failure={failure}
      held={held}
      words={words}
    />
  );
  if (now.ok) return shown(now.data, null);
  const isPassing = PASSING.includes(now.failure.kind);
  return known !== null && isPassing ? (
    shown(known, now.failure)
  ) : (
    <UnreadSection digest={now.digest} said={now.said} />
  );
}

async function KnownBalances({ known }: { known: BalanceView }) {
  return (
    <div aria-busy className="border-b border-line">
      <BalanceFigures balance={known} words={await balanceWords()} />
    </div>
  );
}

function BalancesSkeleton() {
  return (
    <div aria-hidden className="grid gap-px border-b border-line medium:grid-cols-2">
      {["available", "blocked"].map((name) => (
        <div key={name} className="h-25 space-y-2.5 px-5 py-4">
          <Skeleton className="h-3.5 w-28" />
          <Skeleton className="h-6 w-44" />
          <Skeleton className="h-3 w-32" />
        </div>
      ))}
    </div>
  );
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("accounts"))("account") };
}

type AccountPageProps = { params: Promise<{ ref: string }>; searchParams: Promise<Record<string, unknown>> };

async function AccountPage({ params, searchParams }: AccountPageProps) {
  const { ref } = await params;
  const filter = StatementFilter.parse(await searchParams);
  const [scope, account, closing, t] = await Promise.all([
    requireScope(),
    getAccount(ref),
    getClosing(ref),
    getTranslations(),
  ]);
  if (!account) return <NotFoundView />;
  const recordRead = getRecord(ref);
  const view = getStatementView(ref, filter);
  const balance = getBalance(ref);
  const totals = view.then(
    (read) => read.totals,
    () => null,
  );
  const userRead = recordRead.then(() => getUser(ref));
  // Whoever shows the balance reports its failure; the sums simply omit it.
  const balanceIfRead = balance.catch(() => null);
  const opening = Promise.all([totals, balanceIfRead]).then(([read, held]) =>
    read === null || held === null ? null : openingOf(held, read, { filter, openedAt: account.openedAt }),
  );
  const daySums = Promise.all([totals, opening]).then(([read, since]) => ({
    days: read?.days ?? {},
    balances: read === null || since === null ? {} : balancesByDay(since, read),
  }));
  const [denial, closeDenial, payDenial] = await Promise.all([
    deniedReason(scope.permissions, "pii:reveal"),
    deniedReason(scope.permissions, "accounts:close"),
    deniedReason(scope.permissions, "transfers:create"),
  ]);
  const isClosed = account.standing === "CLOSED" || closing?.state === "CLOSED";
  const closedHere = closing?.state === "CLOSED" ? <Badge tone="neutral">{t("closing.status")}</Badge> : null;
  return (
    <>
      <PageHeader
        title={t("accounts.accountOf", { number: namingHidden(account.number) })}
        parent={{ href: "/accounts", label: t("accounts.title") }}
      >
        <Suspense fallback={closedHere}>
          <AccountStatus recordRead={recordRead} closedHere={closedHere} />
        </Suspense>
        {account.onboardingRef ? (
          <Link
            href={`/onboarding/${account.onboardingRef}`}
            prefetch={false}
            className="text-sm text-accent hover:underline"
          >
            {t("accounts.onboarding")}
          </Link>
        ) : null}
        <PermittedLink
          href={`/transfers/new?from=${ref}`}
          denial={payDenial ?? (isClosed ? t("closing.closedElsewhere") : null)}
          isPrimary={!isClosed}
        >
          {t("transferForm.button")}
        </PermittedLink>
      </PageHeader>
      <AccountFacts account={account} recordRead={recordRead} denial={denial} />
      <ClosingStanding closing={closing} account={account} denial={closeDenial} />
      {isClosed || (payDenial !== null && closeDenial !== null) ? null : (
        <Suspense fallback={null}>
          <UserNotice userRead={userRead} />
        </Suspense>
      )}
      <SectionLinks isClosedHere={closing?.state === "CLOSED"} />
      <FileDesk>
        <RecordColumns
          aside={
            <>
              <SectionBoundary>
                <Suspense fallback={<RecordSkeleton kind={account.kind} />}>
                  <Record
                    recordRead={recordRead}
                    userRead={userRead}
                    letter={<LetterFiles accountRef={ref} scope={scope} />}
                    accountRef={ref}
                    denial={denial}
                  />
                </Suspense>
              </SectionBoundary>
              <SectionBoundary>
                <SamePerson accountRef={ref} onboardingRef={account.onboardingRef} />
              </SectionBoundary>
              {scope.permissions.includes("wallets:read") ? (
                <SectionBoundary>
                  <UserWallets userRead={userRead} />
                </SectionBoundary>
              ) : null}
              <SectionBoundary>
                <Casework accountRef={ref} scope={scope} />
              </SectionBoundary>
              <SectionBoundary>
                <Timeline accountRef={ref} />
              </SectionBoundary>
              <Suspense fallback={null}>
                <RefusedWrites isOfRecord read={listRefusedOfAccounts(`account:${ref}`)} />
              </Suspense>
              <Suspense fallback={null}>
                <ClosingSection
                  closing={closing}
                  accountRef={ref}
                  recordRead={recordRead}
                  permissions={scope.permissions}
                />
              </Suspense>
              <ObjectCalls kind="account" id={ref} />
              <AccessLog kind="account" id={ref} search={await searchParams} />
            </>
          }
        >
          <SectionBoundary>
            <Suspense
              fallback={account.known === null ? <BalancesSkeleton /> : <KnownBalances known={account.known} />}
            >
              <Balances accountRef={ref} read={balance} known={account.known} />
            </Suspense>
          </SectionBoundary>
          <Suspense
            key={JSON.stringify(statementFilterValues(filter))}
            fallback={<PeriodSumsSkeleton filter={filter} />}
          >
            <PeriodSums totals={totals} filter={filter} openingRead={opening} daySums={daySums} />
          </Suspense>
          <section aria-labelledby="statement">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-5 pt-5 pb-2">
              <h2 id="statement" className="font-semibold">
                {t("accounts.statement")}
              </h2>
              <StatementExport accountRef={ref} filter={filter} totals={totals} scope={scope} />
            </div>
            <StatementFilters path={`/accounts/${ref}`} filter={filter} totals={totals} />
            <SectionBoundary key={JSON.stringify(filter)} isCompact={account.known !== null}>
              <Suspense fallback={<StatementSkeleton />}>
                <Statement accountRef={ref} filter={filter} view={view} daySums={daySums} />
              </Suspense>
            </SectionBoundary>
          </section>
        </RecordColumns>
      </FileDesk>
    </>
  );
}

async function SectionLinks({ isClosedHere }: { isClosedHere: boolean }) {
  const t = await getTranslations();
  const sections = [
    { id: "holder", label: t("accountRecord.holder") },
    { id: "account", label: t("accountRecord.account") },
    { id: "notes", label: t("casework.notes") },
    { id: "files", label: t("casework.files") },
    { id: "timeline", label: t("accountTimeline.title") },
    ...(isClosedHere ? [] : [{ id: "closing", label: t("closing.title") }]),
  ];
  return (
    <nav aria-label={t("accountRecord.sections")} className="px-5 pb-3 @widest:hidden print:hidden">
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {sections.map(({ id, label }) => (
          <li key={id}>
            <a href={`#${id}`} className="inline-flex min-h-6 items-center text-accent hover:underline">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export default screen("app/(console)/accounts/[ref]/page", AccountPage);

type AccountFactsProps = { account: AccountView; recordRead: RecordRead; denial: string | null };

async function AccountFacts({ account, recordRead, denial }: AccountFactsProps) {
  const t = await getTranslations("accounts");
  return (
    <Facts>
      <Suspense fallback={<Skeleton className="h-4 w-26" />}>
        <HolderName recordRead={recordRead} />
      </Suspense>
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <DocumentReveal masked={account.document} kind="account" id={account.ref} denial={denial} />
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
    </Facts>
  );
}

/** The dot before the first fact of a line is clipped. */
function Facts({ children }: { children: ReactNode }) {
  return (
    <div className="px-5 pb-4 text-muted tabular-nums">
      <div className="[clip-path:inset(-1rem_-0.25rem_-1rem_0)]">
        <p className="-ml-4 flex flex-wrap items-center gap-y-1 *:relative *:pl-4 *:before:absolute *:before:left-1.5 *:before:content-['·']">
          {children}
        </p>
      </div>
    </div>
  );
}
