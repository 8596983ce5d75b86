import type { Metadata } from "next";
import { useLocale, useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import Link from "next/link";
import { Countdown } from "@/app/(console)/approvals/countdown";
import { RequestLink } from "@/app/(console)/approvals/request-link";
import { ObjectCalls } from "@/app/(console)/calls/object-calls";
import { PartyLink, SendStatus } from "@/app/(console)/coins/send-words";
import { ChainCandidates } from "@/app/(console)/outcomes/chain-candidates";
import { ChainList } from "@/app/(console)/outcomes/chain-list";
import { EndOutcome } from "@/app/(console)/outcomes/end-outcome";
import { deniedReason, ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { AssetAmount, Contract } from "@/app/(console)/wallets/wallet-words";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { NotFoundView } from "@/components/layout/empty-view";
import { PageHeader } from "@/components/layout/page-header";
import { PersonName } from "@/components/layout/person-name";
import { ProviderSaid } from "@/components/layout/provider-said";
import { ProviderText } from "@/components/layout/provider-text";
import { RecordColumns, RecordSection } from "@/components/layout/record-columns";
import { LiveRefresh } from "@/components/live/live-refresh";
import { CopyButton } from "@/components/table/copy-button";
import { GroupedAddress } from "@/components/table/grouped-address";
import { SafeLink } from "@/components/table/safe-link";
import { buttonClass } from "@/components/ui/button";
import { Icon, type IconName } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { COINS } from "@/lib/contract/coins";
import { explainTold, explainUnconfirmed } from "@/lib/errors/explain";
import { outcomeCan } from "@/lib/outcomes/can";
import { formatCrypto, formatDateTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";
import { shortId } from "@/lib/text/short";
import { getSend } from "@/lib/wallets/queries";
import type { SendEventKind, SendRecord, SendState } from "@/lib/wallets/sends-view";

const TONES = {
  WAITING: "info",
  SENDING: "info",
  HELD: "warning",
  UNKNOWN: "warning",
  DONE: "positive",
  BLOCKED: "negative",
  REFUSED: "negative",
  REJECTED: "negative",
  NOT_SENT: "info",
} as const satisfies Record<SendState, string>;

const MAY_LEAVE: ReadonlySet<SendState> = new Set(["SENDING", "HELD", "UNKNOWN"]);

/** The sentence that says what became of it, by what is known of it. */
function sentenceOf({ row: { state, cause, hash }, until, isSaid, isContradicted, needsPerson }: SendRecord) {
  if (isContradicted) return "CONTRADICTED";
  if (state === "HELD" && needsPerson) return "HELD_OVER";
  if (state === "HELD" && until === null) return "HELD_UNTIMED";
  if (state === "DONE" && isSaid) return "DONE_SAID";
  if (state === "DONE" && hash === null) return "DONE_UNHASHED";
  return state === "NOT_SENT" ? (`NOT_SENT_${cause ?? "stopped"}` as const) : state;
}

/** The interface tells no state of a hold: the balance is all that is known of it. */
function HeldSince({ record: { row, before, heldSince } }: { record: SendRecord }) {
  const t = useTranslations("coins");
  const locale = useLocale();
  const { order } = row;
  if (order === null || heldSince === null || before.heldAsset === null) return null;
  const shown = (amount: string) => providerText(`${formatCrypto(amount, locale)} ${order.asset}`);
  return (
    <p className="mt-1 tabular-nums">
      {t("heldSince", {
        now: shown(heldSince.amount),
        time: formatDateTime(heldSince.at, locale),
        before: shown(before.heldAsset.amount),
        read: formatDateTime(before.heldAsset.at, locale),
      })}
    </p>
  );
}

async function Standing({ record, denial }: { record: SendRecord; denial: string | null }) {
  const [t, locale] = await Promise.all([getTranslations(), getLocale()]);
  const { row, until, needsPerson, conclusionId, requestId, reason, told, ending, said, candidates } = record;
  const { state } = row;
  const time = until === null ? "" : formatDateTime(until, locale);
  const isEndable = outcomeCan.end({ isOpen: needsPerson, isProposed: conclusionId !== null }) === null;
  return (
    <div className="space-y-3 px-5 py-4">
      <Notice tone={TONES[state]} className="px-4 py-3">
        <p className="font-medium">{t(`coins.sentence.${sentenceOf(record)}`, { maker: row.byName, time })}</p>
        {reason === null ? null : (
          <p className="mt-1 break-words whitespace-pre-line">
            <span className="text-muted">{t("approvals.refusalReason")}:</span> <bdi>{reason}</bdi>
          </p>
        )}
        {told === null ? null : <p className="mt-1 wrap-anywhere">{explainTold(told, t)}</p>}
        {ending === null ? null : <p className="mt-1 empty:hidden">{explainUnconfirmed(ending, t)}</p>}
        {state === "UNKNOWN" ? <ProviderSaid said={said} /> : null}
        {state === "HELD" && !needsPerson ? <p className="mt-1">{t("approvals.hold.followedCoins")}</p> : null}
        {MAY_LEAVE.has(state) ? <HeldSince record={record} /> : null}
        {MAY_LEAVE.has(state) ? <p className="mt-1">{t("coins.doNotRepeat")}</p> : null}
        {candidates.length === 0 ? null : denial === null ? (
          <ChainCandidates intentId={row.id} candidates={candidates} isOpen={isEndable} />
        ) : (
          <div className="space-y-1 py-1 text-sm">
            <ChainList candidates={candidates} />
          </div>
        )}
        {conclusionId === null ? null : (
          <p className="mt-2">
            {t("coins.conclusionOpen")}{" "}
            <Link href={`/approvals/${conclusionId}`} prefetch={false} className="text-accent underline">
              {t("coins.seeConclusion")}
            </Link>
          </p>
        )}
        {isEndable ? (
          <div className="mt-3">
            <EndOutcome intentId={row.id} needsApproval denial={denial} candidates={candidates} />
          </div>
        ) : null}
        {requestId === null ? null : (
          <p className="mt-2">
            <RequestLink id={requestId} />
          </p>
        )}
      </Notice>
    </div>
  );
}

function Hash({ record: { row } }: { record: SendRecord }) {
  const t = useTranslations("coins");
  const { hash } = row;
  if (hash === null) return <span className="text-faint">{t("facts.noHash")}</span>;
  return (
    <>
      <code className="min-w-0 font-mono text-sm wrap-anywhere">
        <ProviderText text={hash.txHash} />
      </code>
      <CopyButton text={hash.txHash} label={t("copyHash")} />
      {hash.link === null ? null : <SafeLink link={hash.link} />}
    </>
  );
}

function OnChain({ record: { onChain } }: { record: SendRecord }) {
  const t = useTranslations("coins.facts");
  const locale = useLocale();
  if (onChain === null) return <span className="text-faint">{t("notOnChain")}</span>;
  const { at, block } = onChain;
  return (
    <>
      {at === null ? t("undated") : formatDateTime(at, locale)}
      <span className="text-muted">
        {block === null ? t("blockUntold") : t("block", { block: providerText(block) })}
      </span>
    </>
  );
}

function Fee({ record: { row, fee } }: { record: SendRecord }) {
  const t = useTranslations("coins.facts");
  const locale = useLocale();
  if (fee === null || row.order === null) return <span className="text-faint">{t("feeUntold")}</span>;
  return (
    <>
      {providerText(`${formatCrypto(fee.amount, locale)} ${COINS[row.order.network]}`)}
      <span className="text-muted">{t(fee.isTold ? "feeTold" : "feeDerived")}</span>
    </>
  );
}

function Facts({ record }: { record: SendRecord }) {
  const t = useTranslations();
  const locale = useLocale();
  const { row, antifraudId, until, authorisedBy, asOf } = record;
  const { order, from, to, token, state } = row;
  const isEnded = state === "DONE";
  return (
    <DescriptionList>
      <Described name={t("coins.columns.state")}>
        <SendStatus {...row} />
      </Described>
      <Described name={t("coins.facts.amount")}>
        {order === null ? (
          t("coins.unread")
        ) : (
          <AssetAmount held={{ asset: order.asset, balance: order.amount, decimals: null, doubt: null }} />
        )}
      </Described>
      {token === null ? null : (
        <Described name={t("coins.facts.token")}>
          <Contract of={token} />
          <CopyButton text={token} label={t("coins.copyToken")} />
        </Described>
      )}
      {order === null ? null : (
        <Described name={t("coins.facts.network")}>{t(`wallets.networks.${order.network}`)}</Described>
      )}
      <Described name={t("coins.facts.from")}>
        <PartyLink of={from} />
      </Described>
      <Described name={t("coins.facts.to")}>
        {to === null ? (
          t("coins.unread")
        ) : (
          <>
            {to.walletId === null ? null : <PartyLink of={to} />}
            <GroupedAddress address={to.address} />
            <CopyButton text={to.address} label={t("coins.copyAddress")} />
          </>
        )}
      </Described>
      {isEnded || row.hash !== null ? (
        <>
          <Described name={t("coins.facts.hash")}>
            <Hash record={record} />
          </Described>
          <Described name={t("coins.facts.onChain")}>
            <OnChain record={record} />
          </Described>
          <Described name={t("coins.facts.fee")}>
            <Fee record={record} />
          </Described>
        </>
      ) : null}
      <Described name={t("coins.facts.maker")}>
        <PersonName name={row.byName} you={row.isMine ? t("coins.you") : null} />
        <span className="text-muted">{formatDateTime(row.at, locale)}</span>
      </Described>
      {authorisedBy === null ? null : (
        <Described name={t("coins.facts.authorised")}>
          <bdi>{authorisedBy}</bdi>
        </Described>
      )}
      {antifraudId === null ? null : (
        <Described name={t("coins.facts.antifraudId")}>
          <code className="min-w-0 font-mono text-sm wrap-anywhere">
            <ProviderText text={antifraudId} />
          </code>
          <CopyButton text={antifraudId} label={t("coins.copyAntifraud")} />
        </Described>
      )}
      {until === null ? null : (
        <Described name={t("coins.facts.until")}>
          {formatDateTime(until, locale)}
          <span className="text-muted">
            <Countdown expiresAt={until} now={asOf} />
          </span>
        </Described>
      )}
      <Described name={t("coins.facts.id")}>
        <code className="min-w-0 font-mono text-sm wrap-anywhere">{row.id}</code>
        <CopyButton text={row.id} label={t("coins.copyId")} />
      </Described>
    </DescriptionList>
  );
}

const ICONS: Record<SendEventKind, IconName> = {
  proposed: "user-check",
  authorised: "circle-check",
  rejected: "circle-x",
  withdrawn: "undo-2",
  expired: "clock",
  stopped: "triangle-alert",
  sent: "arrow-up-right",
  done: "circle-check",
  seenDone: "circle-check",
  held: "hourglass",
  refused: "circle-x",
  blocked: "circle-x",
  seenRefused: "circle-x",
  unconfirmed: "triangle-alert",
  excluded: "circle-x",
  concluded: "user-check",
  contradicted: "triangle-alert",
};

function Life({ record: { events } }: { record: SendRecord }) {
  const t = useTranslations("coins");
  const locale = useLocale();
  return (
    <RecordSection id="life" title={t("life")}>
      <ol className="border-y border-line py-1.5">
        {events.map(({ kind, at, byName, isMine }, index) => (
          <li key={`${index} ${kind}`} className="flex items-start gap-2.5 px-5 py-1.5">
            <Icon of={ICONS[kind]} size={14} className="mt-0.75 shrink-0 text-faint" />
            <p className="min-w-0 flex-1 wrap-anywhere">
              {t(`event.${kind}`)}
              {byName === null ? null : (
                <span className="text-muted">
                  {" · "}
                  <PersonName name={t("byName", { name: byName })} you={isMine ? t("byYou") : null} />
                </span>
              )}
            </p>
            <time dateTime={at} className="shrink-0 text-sm text-muted tabular-nums">
              {formatDateTime(at, locale)}
            </time>
          </li>
        ))}
      </ol>
    </RecordSection>
  );
}

type BalanceThenProps = { held: SendRecord["before"]["held"]; asset: string };

function BalanceThen({ held, asset }: BalanceThenProps) {
  const t = useTranslations("coins.before");
  const locale = useLocale();
  return (
    <Described name={t("held", { asset: providerText(asset) })}>
      {held === null ? (
        <span className="text-faint">{t("unread")}</span>
      ) : (
        <>
          {providerText(`${formatCrypto(held.amount, locale)} ${asset}`)}
          <span className="text-muted">{formatDateTime(held.at, locale)}</span>
        </>
      )}
    </Described>
  );
}

/** By which a lost answer is looked for, and the fee derived. */
function Before({ record: { row, before } }: { record: SendRecord }) {
  const t = useTranslations("coins");
  const locale = useLocale();
  const { head, held, heldAsset } = before;
  if (row.order === null || (head === null && held === null && heldAsset === null)) return null;
  const isToken = row.token !== null;
  return (
    <RecordSection id="before" title={t("before.title")}>
      <DescriptionList>
        <Described name={t("before.head")}>
          {head === null ? (
            t("before.noHead")
          ) : (
            <>
              <code className="min-w-0 font-mono text-sm wrap-anywhere">
                <ProviderText text={head.hash} />
              </code>
              <span className="text-muted">{formatDateTime(head.at, locale)}</span>
            </>
          )}
        </Described>
        <BalanceThen held={isToken ? heldAsset : held} asset={row.order.asset} />
        {isToken ? <BalanceThen held={held} asset={COINS[row.order.network]} /> : null}
      </DescriptionList>
    </RecordSection>
  );
}

export async function generateMetadata({ params }: { params: Promise<{ id: string }> }): Promise<Metadata> {
  const { id } = await params;
  return { title: `${(await getTranslations("coins"))("one")} ${shortId(id)}` };
}

async function CoinsRecordPage({ params }: { params: Promise<{ id: string }> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("wallets:read")) return <ForbiddenView screen="coins" />;
  const { id } = await params;
  const [record, t, locale] = await Promise.all([getSend(id), getTranslations("coins"), getLocale()]);
  if (!record) return <NotFoundView />;
  const { row, conclusionId, requestId, callId } = record;
  const sendDenial = await deniedReason(scope.permissions, "crypto-transfers:create");
  const denial = (await deniedReason(scope.permissions, "outcomes:end")) ?? sendDenial;
  const amount =
    row.order === null ? t("unread") : providerText(`${formatCrypto(row.order.amount, locale)} ${row.order.asset}`);
  const { walletId } = row.from;
  return (
    <>
      <LiveRefresh topics={["wallets"]} {...(walletId !== null && { object: walletId })} />
      {[requestId, conclusionId].map((one) =>
        one === null ? null : <LiveRefresh key={one} topics={["approvals"]} object={one} />,
      )}
      <LiveRefresh topics={["outcomes"]} object={row.id} />
      <PageHeader title={amount} parent={{ href: "/coins", label: t("title") }}>
        {row.state === "DONE" && row.hash !== null ? (
          <a
            href={hrefWith(`/api/coins/${row.id}/receipt`, { scope: scope.id })}
            download
            className={buttonClass("plain")}
          >
            <Icon of="receipt-text" size={14} />
            {t("facts.receipt")}
          </a>
        ) : null}
      </PageHeader>
      <RecordColumns
        aside={
          <>
            <Life record={record} />
            <Before record={record} />
          </>
        }
        after={
          walletId === null ? undefined : (
            <>
              {callId !== null && scope.permissions.includes("audit:read") ? (
                <p className="px-5 pb-2">
                  <Link
                    href={hrefWith("/calls", { search: callId })}
                    prefetch={false}
                    className="text-accent hover:underline"
                  >
                    {t("facts.callOf")}
                  </Link>
                </p>
              ) : null}
              <ObjectCalls kind="wallet" id={walletId} />
            </>
          )
        }
      >
        <Standing record={record} denial={denial} />
        <RecordSection id="details" title={t("details")}>
          <Facts record={record} />
        </RecordSection>
      </RecordColumns>
    </>
  );
}

export default screen("app/(console)/coins/[id]/page", CoinsRecordPage);
