import type { ApprovalKindName as Kind } from "@/lib/permission/writes";
import { NotFoundView } from "@/components/layout/empty-view";
import type { Metadata } from "next";
import { useLocale, useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import Link from "next/link";
import { cache, type ComponentProps, Suspense } from "react";
import { ApprovalKindName, approvalTitle, ApprovalStateBadge } from "@/app/(console)/approvals/approval-words";
import { TransferStatus } from "@/app/(console)/transfers/transfer-words";
import { Countdown } from "@/app/(console)/approvals/countdown";
import { deniedReason } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { PageHeader } from "@/components/layout/page-header";
import { RecordColumns, RecordSection } from "@/components/layout/record-columns";
import { Age } from "@/components/freshness/age";
import { LiveRefresh } from "@/components/live/live-refresh";
import { Money } from "@/components/table/money";
import { ProviderSaid } from "@/components/layout/provider-said";
import { ProviderText } from "@/components/layout/provider-text";
import { CopyButton } from "@/components/table/copy-button";
import { Notice } from "@/components/ui/notice";
import { type ApprovalRecord, getApproval } from "@/lib/approvals/queries";
import { explainCode, explainTold } from "@/lib/errors/explain";
import { getStanding } from "@/lib/calls/queries";
import { approvalCan } from "@/lib/approvals/can";
import { decidingPermission, ENDED_STATES, approvalOutcome } from "@/lib/approvals/view";
import type { ApprovalState } from "@/lib/db/enums/approvals";
import { formatBrl, formatDateTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { getHoldings, getPayer, getProposedTransfer, type Payer, type ProposedTransfer } from "@/lib/transfers/queries";
import { getProposedCoins } from "@/lib/wallets/queries";
import type { ProposedCoins } from "@/lib/wallets/view";
import { ChainList } from "@/app/(console)/outcomes/chain-list";
import { SendFacts } from "@/app/(console)/wallets/send-hints";
import { TransactionHash } from "@/app/(console)/wallets/transaction-hash";
import { Comments } from "./comments";
import { DecideBar } from "./decide-bar";
import { FactTable } from "./fact-table";
import { RereadBalance } from "./reread-balance";
import { Beside, MovedNotice, PayerWarnings, RequestWarnings } from "./warnings";
import { whyFailed } from "./why-failed";

type Shown = NonNullable<ApprovalRecord["shown"]>;

const tellsBefore = ({ facts }: Shown) => facts.some(({ before }) => before !== null);

type ChangeProps = { kind: Kind; shown: Shown; transferId: string | null; payeeRef: string | null };

const OPENS = [
  ["/accounts/", "openAccount"],
  ["/wallets/addresses", "openAddresses"],
  ["/wallets/", "openWallet"],
  ["/kyc/new", "openStarts"],
  ["/kyc/", "openCase"],
  ["/onboarding/", "openOnboarding"],
  ["/transfers/", "openTransfer"],
  ["/coins/", "openCoins"],
  ["/staff/", "openPerson"],
  ["/settings/", "openSettings"],
] as const;

const opens = (href: string) => OPENS.find(([path]) => href.startsWith(path))?.[1] ?? "openRecord";

/** The new value, beside the old one if any. */
function Change({ kind, shown: { facts, href }, transferId, payeeRef }: ChangeProps) {
  const t = useTranslations("approvals");
  const changed = facts.filter(({ before }) => before !== null);
  const others = facts.filter(({ before }) => before === null);
  return (
    <>
      {changed.length === 0 ? null : <FactTable kind={kind} facts={changed} label={t("change")} hasBefore />}
      {changed.length === 0 || others.length === 0 ? null : (
        <h3 className="px-5 pt-4 pb-1.5 text-sm font-medium text-muted">{t("otherFacts")}</h3>
      )}
      {others.length === 0 ? null : <FactTable kind={kind} facts={others} label={t("otherFacts")} hasBefore={false} />}
      <p className="flex flex-wrap gap-x-4 px-5 pt-2 font-medium">
        {transferId === null ? null : <OpenLink href={`/transfers/${transferId}`} label={t("openTransfer")} />}
        {href === null ? null : <OpenLink href={href} label={t(transferId === null ? opens(href) : "openPayer")} />}
        {payeeRef === null ? null : <OpenLink href={`/accounts/${payeeRef}`} label={t("openPayee")} />}
      </p>
    </>
  );
}

function OpenLink({ href, label }: { href: string; label: string }) {
  return (
    <Link href={href} prefetch={false} className="text-accent hover:underline">
      {label}
    </Link>
  );
}

function TransferContext({ of, transfer: { others } }: { of: string; transfer: ProposedTransfer }) {
  const t = useTranslations();
  const locale = useLocale();
  return (
    <>
      {others === null || others.length === 0 ? (
        <p className="px-5 text-muted">{others === null ? t("transfers.unread") : t("approvals.noOthers")}</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {others.map(({ id, at, amount, state, candidateId }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-1.5 tabular-nums">
              <Link href={`/transfers/${id}`} prefetch={false} className="text-accent hover:underline">
                {formatDateTime(at, locale)}
              </Link>
              {amount === null ? t("transfers.amountUnread") : <Money decimal={amount} />}
              <TransferStatus state={state} candidateId={candidateId} />
            </li>
          ))}
          <li className="px-5 py-1.5">
            <OpenLink href={hrefWith("/transfers", { view: "all", payeeOf: of })} label={t("transfers.allToThis")} />
          </li>
        </ul>
      )}
    </>
  );
}

type PayerBalanceProps = { payer: Payer; now: string };

function PayerBalance({ payer, now }: PayerBalanceProps) {
  const t = useTranslations("approvals.payer");
  const locale = useLocale();
  const { balance, blocked, at, isBefore, left, rest } = payer;
  if (at === null) return null;
  const amounts = [
    { name: "available", decimal: balance },
    { name: "blocked", decimal: blocked },
  ] as const;
  return (
    <DescriptionList>
      {amounts.map(({ name, decimal }) => (
        <Described key={name} name={t(name)}>
          {decimal === null ? <span className="text-faint">{t("untold")}</span> : <Money decimal={decimal} />}
        </Described>
      ))}
      <Described name={t("read")}>
        {formatDateTime(at, locale)}
        <span className="text-muted">
          {" · "}
          <Age since={at} now={now} inSeconds />
        </span>
        {isBefore ? <span className="text-warning">{` · ${t("before")}`}</span> : null}
      </Described>
      {left.count === 0 ? null : (
        <Described name={t("left")}>
          {t("sentSince", { count: left.count, amount: formatBrl(left.sum, locale) })}
        </Described>
      )}
      {left.count === 0 || rest === null ? null : (
        <Described name={t("rest")}>
          <Money decimal={rest} />
        </Described>
      )}
    </DescriptionList>
  );
}

const readPayerNow = cache(async (transferId: string | null, closingRef: string | null) => {
  if (closingRef !== null) return getHoldings(closingRef);
  return transferId === null ? null : getPayer(transferId);
});

const readCoinsNow = cache((coinsId: string, beside: ApprovalRecord["beside"]) =>
  getProposedCoins(coinsId, "now", beside),
);

type PayerNowProps = Pick<ApprovalRecord, "transferId" | "closingRef"> & { now: string };

async function PayerNow({ transferId, closingRef, now }: PayerNowProps) {
  const t = await getTranslations("approvals.payer");
  const payer = await readPayerNow(transferId, closingRef);
  if (payer === null) return <p className="px-5 text-muted">{t("never")}</p>;
  return (
    <>
      <LiveRefresh topics={["transfers"]} object={`account:${payer.ref}`} everyMinute />
      <PayerBalance payer={payer} now={now} />
      <div className="space-y-2 px-5 pt-3 empty:hidden">
        <PayerWarnings payer={payer} isClosing={closingRef !== null} />
      </div>
      <RereadBalance accountRef={payer.ref} />
    </>
  );
}

type WarningsNowProps = Pick<ComponentProps<typeof RequestWarnings>, "silentSince" | "coins"> & {
  record: ApprovalRecord;
};

async function WarningsNow({ record, silentSince, coins }: WarningsNowProps) {
  const { transferId, closingRef, coinsId } = record;
  const isPaid = transferId !== null || closingRef !== null;
  const read = coins === null || coinsId === null ? null : await readCoinsNow(coinsId, record.beside);
  return (
    <RequestWarnings
      record={record}
      silentSince={silentSince}
      coins={read}
      {...(isPaid && { payer: await readPayerNow(transferId, closingRef) })}
    />
  );
}

const HAS_LEFT: readonly ApprovalState[] = ["EXECUTED"];
const MAY_LEAVE: readonly ApprovalState[] = ["PENDING", "AUTHORISED"];

type CoinsProps = { coins: ProposedCoins; state: ApprovalState; now: string };

function Coins({ coins, state, now }: CoinsProps) {
  const t = useTranslations("approvals.coins");
  const { asset, hash, candidates, hints } = coins;
  const isHinted = MAY_LEAVE.includes(state) && hints !== null;
  const hasLeft = HAS_LEFT.includes(state);
  if (!isHinted && !hasLeft && candidates.length === 0) return null;
  return (
    <RecordSection id="coins" title={t("title")}>
      <div className="space-y-2 px-5">
        {hasLeft ? <TransactionHash hash={hash} /> : null}
        <ChainList candidates={candidates} />
        {isHinted ? <SendFacts hints={hints} asset={asset} now={now} /> : null}
      </div>
    </RecordSection>
  );
}

type CoinsNowProps = Pick<CoinsProps, "state" | "now"> & { coinsId: string; beside: ApprovalRecord["beside"] };

/** Reads the wallet's balances now unless they are fresh. */
async function CoinsNow({ coinsId, beside, ...shown }: CoinsNowProps) {
  const coins = await readCoinsNow(coinsId, beside);
  return coins === null ? null : <Coins coins={coins} {...shown} />;
}

function History({ record }: { record: ApprovalRecord }) {
  const t = useTranslations("approvals");
  const locale = useLocale();
  const { row, deciderName, decidedAt, endedAt, endKnown } = record;
  const hasTerm = row.state === "PENDING" || row.state === "READY" || row.state === "EXPIRED";
  const isEnded = ENDED_STATES.some((state) => state === row.state);
  return (
    <DescriptionList>
      <Described name={t("kind")}>
        <ApprovalKindName kind={row.kind} />
      </Described>
      <Described name={t("columns.state")}>
        <ApprovalStateBadge word={row.word} />
      </Described>
      <Described name={t("maker")}>
        <bdi>{row.makerName}</bdi>
      </Described>
      <Described name={t("createdAt")}>{formatDateTime(row.createdAt, locale)}</Described>
      {hasTerm ? (
        <Described name={t("columns.expires")}>
          {t("expiresAt", { time: formatDateTime(row.expiresAt, locale) })}
        </Described>
      ) : null}
      {deciderName === null ? null : (
        <Described name={t("decider")}>
          <bdi>{deciderName}</bdi>
        </Described>
      )}
      {decidedAt === null ? null : <Described name={t("decidedAt")}>{formatDateTime(decidedAt, locale)}</Described>}
      {!isEnded || endedAt === null || endedAt === decidedAt ? null : (
        <Described name={t("endedAt", { state: row.state, how: endKnown })}>
          {formatDateTime(endedAt, locale)}
        </Described>
      )}
    </DescriptionList>
  );
}

const TONES = {
  PENDING: "info",
  READY: "warning",
  AUTHORISED: "info",
  EXECUTED: "positive",
  HELD: "info",
  FAILED: "negative",
  UNKNOWN: "warning",
  REFUSED: "negative",
  WITHDRAWN: "info",
  EXPIRED: "warning",
} as const satisfies Record<ApprovalState, string>;

function Answered({ record: { answered }, why }: { record: ApprovalRecord; why: string | null }) {
  return (
    <div className="mt-1">
      {why}
      <ProviderSaid said={answered} />
    </div>
  );
}

type HoldProps = { hold: NonNullable<ApprovalRecord["hold"]>; isOfCoins: boolean; mayEnd: boolean };

function Hold({ hold: { until, isOver }, isOfCoins, mayEnd }: HoldProps) {
  const t = useTranslations("approvals.hold");
  const locale = useLocale();
  return (
    <p className="mt-1">
      {isOver ? t("over") : until === null ? t("untimed") : t("until", { time: formatDateTime(until, locale) })}{" "}
      {isOver ? null : t(isOfCoins ? "followedCoins" : "followed")}
      {isOver && mayEnd ? (
        <Link href="/outcomes" prefetch={false} className="font-medium text-accent underline">
          {t("record")}
        </Link>
      ) : null}
    </p>
  );
}

/** Of a held or a blocked write: by it the provider finds what its antifraud decided. */
function AntifraudCase({ id }: { id: string }) {
  const t = useTranslations("approvals.hold");
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-1">
      <span className="text-muted">{t("id")}</span>
      <code className="font-mono text-sm wrap-anywhere">
        <ProviderText text={id} />
      </code>
      <CopyButton text={id} label={t("copy")} />
    </p>
  );
}

type OutcomeProps = { record: ApprovalRecord; denial: string | null; mayEnd: boolean };

async function Outcome({ record, denial, mayEnd }: OutcomeProps) {
  const [t, locale] = await Promise.all([getTranslations(), getLocale()]);
  const { row, shown, deciderName, reason, told, antifraudId, hold } = record;
  const name = deciderName ?? "";
  const sentence = t(`approvals.outcome.${approvalOutcome(row, deciderName)}`, {
    name,
    why: whyFailed(record, t),
    maker: row.makerName,
    time: formatDateTime(row.expiresAt, locale),
  });
  return (
    <div className="space-y-3 px-5 pt-4">
      {shown === null ? (
        <Notice tone="negative">
          <strong className="font-medium">{t("approvals.editedTitle")}.</strong> {t("approvals.editedBody")}
        </Notice>
      ) : null}
      <Notice tone={TONES[row.state]}>
        {row.state === "FAILED" ? <p className="font-medium">{t(`approvals.states.${row.word}`)}</p> : null}
        <p>{row.state === "EXPIRED" && record.code !== null ? whyFailed(record, t) : sentence}</p>
        {row.state === "UNKNOWN" ? <Answered record={record} why={explainCode(record.code ?? "", t)} /> : null}
        {row.state === "READY" && told !== null ? (
          <p className="mt-1">
            {t("approvals.lastTry")} {explainTold(told, t)}
          </p>
        ) : null}
        {hold === null ? null : <Hold hold={hold} isOfCoins={record.coinsId !== null} mayEnd={mayEnd} />}
        {antifraudId === null ? null : <AntifraudCase id={antifraudId} />}
        {row.state === "PENDING" && denial !== null ? <p className="mt-1">{denial}</p> : null}
        {reason === null ? null : (
          <p className="mt-1 break-words whitespace-pre-line">
            <span className="text-muted">{t("approvals.refusalReason")}:</span> <bdi>{reason}</bdi>
          </p>
        )}
      </Notice>
    </div>
  );
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("approvals"))("one") };
}

async function ApprovalPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const [scope, found, { silentSince }, t, names, say, locale] = await Promise.all([
    requireScope(),
    getApproval(id),
    getStanding(),
    getTranslations("approvals"),
    getTranslations("writes"),
    getTranslations(),
    getLocale(),
  ]);
  if (!found) return <NotFoundView />;
  const { row, shown, asOf, transferId, closingRef, coinsId } = found;
  const transfer = transferId === null ? null : await getProposedTransfer(transferId);
  const isOpen = !ENDED_STATES.some((state) => state === row.state);
  const seesWallets = scope.permissions.includes("wallets:read");
  const coins = coinsId === null || !seesWallets ? null : await getProposedCoins(coinsId, "stored", found.beside);
  // Being the maker is reported before a missing permission.
  const denial =
    approvalCan.decide(row)?.code === "approval-own"
      ? t("waitsForOther")
      : await deniedReason(scope.permissions, decidingPermission(row.kind));
  const warned = { record: found, silentSince, coins };
  const warnings =
    row.state !== "PENDING" || denial !== null ? null : (
      <Suspense fallback={<RequestWarnings {...warned} />}>
        <WarningsNow {...warned} />
      </Suspense>
    );
  return (
    <>
      <LiveRefresh
        topics={["approvals"]}
        object={row.id}
        everyMinute={isOpen && (coins !== null || row.kind === "kyc.decision")}
      />
      <PageHeader title={approvalTitle(row, names, locale)} parent={{ href: "/approvals", label: t("title") }}>
        {row.state === "PENDING" || row.state === "READY" ? (
          <span className="text-sm text-muted tabular-nums">
            <Countdown expiresAt={row.expiresAt} now={asOf} />
          </span>
        ) : null}
        <DecideBar
          record={found}
          denial={denial}
          warnings={warnings}
          silentSince={silentSince}
          failed={row.state === "FAILED" ? whyFailed(found, say) : null}
        />
      </PageHeader>
      <RecordColumns aside={<Comments approvalId={row.id} comments={found.comments} canComment={found.canComment} />}>
        <Outcome record={found} denial={denial} mayEnd={scope.permissions.includes("outcomes:end")} />
        {row.moved === null ? null : (
          <div className="px-5 pt-3">
            <MovedNotice moved={row.moved} />
          </div>
        )}
        {shown === null ? null : (
          <RecordSection id="change" title={t(row.state === "EXECUTED" && tellsBefore(shown) ? "changed" : "change")}>
            <Change
              kind={row.kind}
              shown={shown}
              transferId={transfer === null ? null : transferId}
              payeeRef={transfer?.to?.as === "account" ? transfer.to.ref : null}
            />
            <div className="px-5 pt-3 empty:hidden">
              <Beside beside={found.beside} />
            </div>
          </RecordSection>
        )}
        {(transferId === null && closingRef === null) || !isOpen ? null : (
          <RecordSection id="payer" title={t(closingRef === null ? "payer.title" : "payer.titleClosing")}>
            <Suspense fallback={<p className="px-5 text-muted">{t("payer.reading")}</p>}>
              <PayerNow transferId={transferId} closingRef={closingRef} now={asOf} />
            </Suspense>
          </RecordSection>
        )}
        {transfer === null || transferId === null ? null : (
          <RecordSection id="payments" title={t("othersToPayee")}>
            <TransferContext of={transferId} transfer={transfer} />
          </RecordSection>
        )}
        {coins === null || coinsId === null ? null : (
          <Suspense fallback={<Coins coins={coins} state={row.state} now={asOf} />}>
            <CoinsNow coinsId={coinsId} beside={found.beside} state={row.state} now={asOf} />
          </Suspense>
        )}
        <RecordSection id="history" title={t("details")}>
          <History record={found} />
        </RecordSection>
      </RecordColumns>
    </>
  );
}

export default screen("app/(console)/approvals/[id]/page", ApprovalPage);
