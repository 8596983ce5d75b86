import { Icon, type IconName } from "@/components/ui/icons";
import type { Metadata } from "next";
import { useLocale, useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import Link from "next/link";
import { NotFoundView } from "@/components/layout/empty-view";
import type { ReactNode } from "react";
import { StandingMark } from "@/app/(console)/accounts/standing";
import { Countdown } from "@/app/(console)/approvals/countdown";
import { RequestLink } from "@/app/(console)/approvals/request-link";
import { deniedReason } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { EndOutcome } from "@/app/(console)/outcomes/end-outcome";
import { CheckHold } from "./check-hold";
import { RecipientFacts, TransferStatus } from "@/app/(console)/transfers/transfer-words";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { PageHeader } from "@/components/layout/page-header";
import { PersonName } from "@/components/layout/person-name";
import { RecordColumns, RecordSection } from "@/components/layout/record-columns";
import { LiveRefresh } from "@/components/live/live-refresh";
import { CopyButton } from "@/components/table/copy-button";
import { Money } from "@/components/table/money";
import { ProviderSaid } from "@/components/layout/provider-said";
import { ProviderText } from "@/components/layout/provider-text";
import { Notice } from "@/components/ui/notice";
import { PermittedLink } from "@/components/ui/permitted-link";
import { explainTold } from "@/lib/errors/explain";
import { formatBrl, formatDateTime } from "@/lib/text/format";
import { shortId } from "@/lib/text/short";
import { hrefWith } from "@/lib/text/page";
import { providerWord } from "@/lib/text/provider-word";
import { getTransfer } from "@/lib/transfers/queries";
import type { AccountParty, TransferEventKind, TransferRecord, TransferState } from "@/lib/transfers/view";
import { outcomeCan } from "@/lib/outcomes/can";

const TONES = {
  WAITING: "info",
  SENDING: "info",
  CONFIRMED: "positive",
  RETURNED: "warning",
  HELD: "warning",
  ACCEPTED: "info",
  BLOCKED: "negative",
  REFUSED: "negative",
  UNKNOWN: "warning",
  DECLINED: "negative",
  WITHDRAWN: "info",
  EXPIRED: "info",
  FAILED: "negative",
} as const satisfies Record<TransferState, string>;

const MAY_STILL_BE_PAID: ReadonlySet<TransferState> = new Set(["SENDING", "HELD", "ACCEPTED", "UNKNOWN"]);

/** The sentence about a transfer's outcome. */
function sentenceOf({ row: { state, until }, isSaid, needsPerson, told, events }: TransferRecord) {
  if (events.at(-1)?.kind === "contradicted") return "CONTRADICTED";
  if (state === "HELD" && until === null) return "HELD_UNTIMED";
  if (state === "HELD" && needsPerson) return "HELD_OVER";
  if (isSaid && (state === "CONFIRMED" || state === "REFUSED")) return `${state}_SAID` as const;
  return state === "FAILED" && told !== null ? "UNSENT" : state;
}

/** Shown while the provider is still asked, or a person must settle it. */
function Asking({ record: { row, asking, needsPerson, asOf } }: { record: TransferRecord }) {
  const t = useTranslations("transfers");
  const locale = useLocale();
  if (asking === null || row.state !== "UNKNOWN") return null;
  const { attempts, nextTryAt } = asking;
  return (
    <p className="mt-1">
      {t("asking", { attempts })}{" "}
      {nextTryAt === null
        ? needsPerson
          ? t("askingOver")
          : null
        : nextTryAt <= asOf
          ? t("askingDue")
          : t("askingNext", { time: formatDateTime(nextTryAt, locale) })}
    </p>
  );
}

async function Standing({ record, denial }: { record: TransferRecord; denial: string | null }) {
  const [t, locale] = await Promise.all([getTranslations(), getLocale()]);
  const { row, needsPerson, conclusionId, requestId, reason } = record;
  const { state, code } = row;
  const time = row.until === null ? "" : formatDateTime(row.until, locale);
  const isRefusal = state === "REFUSED" || state === "BLOCKED" || state === "FAILED";
  return (
    <div className="space-y-3 px-5 pt-4">
      <Notice tone={TONES[state]} className="px-4 py-3">
        <p className="font-medium">{t(`transfers.sentence.${sentenceOf(record)}`, { maker: row.byName, time })}</p>
        {reason === null ? null : (
          <p className="mt-1 break-words whitespace-pre-line">
            <span className="text-muted">{t("approvals.refusalReason")}:</span> <bdi>{reason}</bdi>
          </p>
        )}
        {state === "DECLINED" && reason === null ? <p className="mt-1">{t("transfers.reasonForOthers")}</p> : null}
        {isRefusal && !record.isSaid ? <Why record={record} /> : null}
        {state === "HELD" ? <p className="mt-1">{t("transfers.doNotRepeat")}</p> : null}
        {state === "ACCEPTED" && code !== null ? <TheirWord code={code} message={record.message} /> : null}
        {state === "UNKNOWN" ? <ProviderSaid said={record.message} /> : null}
        {state === "UNKNOWN" || state === "ACCEPTED" ? (
          <p className="mt-1">{t("transfers.doNotRepeatUnknown")}</p>
        ) : null}
        <Hold record={record} />
        <Asking record={record} />
        {conclusionId === null ? null : (
          <p className="mt-2">
            {t("transfers.conclusionOpen")}{" "}
            <Link href={`/approvals/${conclusionId}`} prefetch={false} className="text-accent underline">
              {t("transfers.seeConclusion")}
            </Link>
          </p>
        )}
        {outcomeCan.end({ isOpen: needsPerson, isProposed: conclusionId !== null }) === null ? (
          <div className="mt-3">
            <EndOutcome intentId={row.id} needsApproval denial={denial} />
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

function TheirWord({ code, message }: { code: string; message: string | null }) {
  const t = useTranslations("common");
  return (
    <p className="mt-1">
      {t("providerSays")} <ProviderText text={providerWord(code)} />
      {message === null ? null : (
        <>
          {" · "}
          <ProviderText text={message} />
        </>
      )}
    </p>
  );
}

/** Evidence about a hold that does not name the transfer, and a button to ask the provider now. */
async function Hold({ record: { row, hold } }: { record: TransferRecord }) {
  if (hold === null) return null;
  const [t, locale] = await Promise.all([getTranslations("transfers"), getLocale()]);
  const { askedAt, candidateId, lessBlocked } = hold;
  return (
    <>
      {lessBlocked === null ? null : (
        <p className="mt-1">
          {t("lessBlocked", {
            amount: formatBrl(lessBlocked.amount, locale),
            time: formatDateTime(lessBlocked.at, locale),
          })}
        </p>
      )}
      {candidateId === null ? null : (
        <p className="mt-1">
          {t("candidate")}{" "}
          {row.from.ref === null ? null : (
            <FactLink href={hrefWith(`/accounts/${row.from.ref}`, { entry: candidateId })}>
              {t("candidateEntry")}
            </FactLink>
          )}
        </p>
      )}
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <CheckHold intentId={row.id} />
        {askedAt === null ? null : (
          <span className="text-muted">{t("checkedAt", { time: formatDateTime(askedAt, locale) })}</span>
        )}
      </p>
    </>
  );
}

async function Why({ record: { row, told } }: { record: TransferRecord }) {
  const t = await getTranslations();
  const why = explainTold(told ?? { code: row.code, status: null, said: null, wasSent: false }, t);
  return <p className="mt-1 wrap-anywhere">{why}</p>;
}

function AccountLink({ party: { name, ref, document, standing } }: { party: AccountParty }) {
  return (
    <>
      {ref === null ? (
        <ProviderText text={name} />
      ) : (
        <Link href={`/accounts/${ref}`} prefetch={false} className="text-accent hover:underline">
          <ProviderText text={name} />
        </Link>
      )}
      {document === null ? null : <span className="text-muted">{document}</span>}
      <StandingMark standing={standing} />
    </>
  );
}

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <>
      <code className="min-w-0 font-mono text-sm wrap-anywhere">
        <ProviderText text={text} />
      </code>
      <CopyButton text={text} label={label} />
    </>
  );
}

function FactLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} prefetch={false} className="text-accent hover:underline">
      {children}
    </Link>
  );
}

function Facts({ record }: { record: TransferRecord }) {
  const t = useTranslations("transfers");
  const locale = useLocale();
  const { row, description, userId, transactionId, returned, isRepeat, asOf } = record;
  const { to, from } = row;
  const allToPayee = (
    <FactLink href={hrefWith("/transfers", { view: "all", payeeOf: row.id })}>{t("allToThis")}</FactLink>
  );
  return (
    <DescriptionList>
      <Described name={t("columns.state")}>
        <TransferStatus state={row.state} candidateId={row.candidateId} />
      </Described>
      <Described name={t("facts.amount")}>
        {row.amount === null ? t("amountUnread") : <Money decimal={row.amount} />}
      </Described>
      <Described name={t("facts.from")}>
        <AccountLink party={row.from} />
        {from.ref === null ? null : (
          <FactLink href={hrefWith("/transfers", { view: "all", account: from.ref })}>{t("allFromThis")}</FactLink>
        )}
      </Described>
      {to === null ? <Described name={t("columns.to")}>{t("unread")}</Described> : null}
      {to?.as === "account" ? (
        <Described name={t("facts.to")}>
          <AccountLink party={to} />
          {allToPayee}
        </Described>
      ) : null}
      {to?.as === "recipient" ? <RecipientFacts to={to}>{allToPayee}</RecipientFacts> : null}
      {description === null ? null : (
        <Described name={t("facts.description")}>
          <ProviderText text={description} />
        </Described>
      )}
      {row.state === "CONFIRMED" || row.state === "RETURNED" ? (
        <Described name={t("facts.transactionId")}>
          {transactionId === null ? (
            <span className="text-faint">{t("facts.noTransaction")}</span>
          ) : (
            <>
              <Copied text={transactionId} label={t("copyTransaction")} />
              {from.ref === null ? null : (
                <FactLink
                  href={hrefWith(`/accounts/${from.ref}/receipt`, { transaction: transactionId, direction: "DEBIT" })}
                >
                  {t("facts.receipt")}
                </FactLink>
              )}
            </>
          )}
        </Described>
      ) : null}
      {returned === null ? null : (
        <Described name={t("facts.return")}>
          {returned.entryId === "" ? null : (
            <>
              <Copied text={returned.entryId} label={t("copyReturn")} />
              {from.ref === null ? null : (
                <FactLink href={hrefWith(`/accounts/${from.ref}`, { entry: returned.entryId })}>
                  {t("facts.returnEntry")}
                </FactLink>
              )}
            </>
          )}
          <span className="text-muted">{t("facts.returnSeen", { time: formatDateTime(returned.at, locale) })}</span>
        </Described>
      )}
      {row.antifraudId === null ? null : (
        <Described name={t("facts.antifraudId")}>
          <Copied text={row.antifraudId} label={t("copyAntifraud")} />
        </Described>
      )}
      {row.state === "HELD" && row.until !== null ? (
        <Described name={t("facts.until")}>
          {formatDateTime(row.until, locale)}
          <span className="text-muted">
            <Countdown expiresAt={row.until} now={asOf} />
          </span>
        </Described>
      ) : null}
      <Described name={t("facts.maker")}>
        <PersonName name={row.byName} you={row.isMine ? t("you") : null} />
      </Described>
      {isRepeat ? <Described name={t("facts.repeat")}>{t("facts.isRepeat")}</Described> : null}
      {userId === null ? null : (
        <Described name={t("facts.user")}>
          <ProviderText text={userId} />
        </Described>
      )}
    </DescriptionList>
  );
}

const ICONS: Record<TransferEventKind, IconName> = {
  proposed: "user-check",
  authorised: "circle-check",
  declined: "circle-x",
  withdrawn: "undo-2",
  expired: "clock",
  unsent: "triangle-alert",
  sent: "send",
  confirmed: "circle-check",
  held: "hourglass",
  refused: "circle-x",
  blocked: "circle-x",
  unconfirmed: "triangle-alert",
  accepted: "hourglass",
  concluded: "user-check",
  contradicted: "triangle-alert",
  returned: "undo-2",
  released: "circle-check",
  rejected: "circle-x",
  lapsed: "clock",
};

function Life({ events, reason }: Pick<TransferRecord, "events" | "reason">): ReactNode {
  const t = useTranslations("transfers");
  const locale = useLocale();
  return (
    <RecordSection id="life" title={t("life")}>
      <ol className="border-y border-line py-1.5">
        {events.map(({ kind, at, decision, byName, isMine }, index) => {
          const icon = ICONS[kind];
          return (
            <li key={`${index} ${kind}`} className="flex items-start gap-2.5 px-5 py-1.5">
              <Icon of={icon} size={14} className="mt-0.75 shrink-0 text-faint" />
              <p className="min-w-0 flex-1 wrap-anywhere">
                {t(`event.${kind}`)}
                {byName === null ? null : (
                  <span className="text-muted">
                    {" · "}
                    <PersonName name={t("byName", { name: byName })} you={isMine ? t("byYou") : null} />
                  </span>
                )}
                {decision === null ? null : (
                  <span className="block text-sm text-muted">
                    {decision.isTold
                      ? t("decisionTold", { time: formatDateTime(decision.seenAt, locale) })
                      : t("decisionSeen")}
                  </span>
                )}
                {kind === "declined" && reason !== null ? <bdi className="block text-muted">{reason}</bdi> : null}
              </p>
              <time dateTime={at} className="shrink-0 text-sm text-muted tabular-nums">
                {formatDateTime(at, locale)}
              </time>
            </li>
          );
        })}
      </ol>
    </RecordSection>
  );
}

export async function generateMetadata({ params }: { params: Promise<{ id: string }> }): Promise<Metadata> {
  const { id } = await params;
  return { title: `${(await getTranslations("transfers"))("one")} ${shortId(id)}` };
}

async function TransferPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const [scope, record, t, locale] = await Promise.all([
    requireScope(),
    getTransfer(id),
    getTranslations("transfers"),
    getLocale(),
  ]);
  if (!record) return <NotFoundView />;
  const { row, conclusionId, events, reason } = record;
  const payDenial = await deniedReason(scope.permissions, "transfers:create");
  const denial = (await deniedReason(scope.permissions, "outcomes:end")) ?? payDenial;
  const amount = row.amount === null ? t("amountUnread") : formatBrl(row.amount, locale);
  const pendingApprovals = [row.approvalId, conclusionId].filter((one) => one !== null);
  return (
    <>
      <LiveRefresh topics={["transfers"]} {...(row.from.ref !== null && { object: `account:${row.from.ref}` })} />
      {pendingApprovals.map((pendingApproval) => (
        <LiveRefresh key={pendingApproval} topics={["approvals"]} object={pendingApproval} />
      ))}
      <LiveRefresh topics={["outcomes"]} object={row.id} />
      <PageHeader title={`${t(`kinds.${row.kind}`)} · ${amount}`} parent={{ href: "/transfers", label: t("title") }}>
        {row.state === "HELD" && row.until !== null ? (
          <span className="text-sm text-muted tabular-nums">
            <Countdown expiresAt={row.until} now={record.asOf} />
          </span>
        ) : null}
        {row.from.ref === null || MAY_STILL_BE_PAID.has(row.state) ? null : (
          <PermittedLink
            href={hrefWith("/transfers/new", { from: row.from.ref, type: row.kind === "INTERNAL" ? null : row.kind })}
            denial={payDenial}
          >
            {t("another")}
          </PermittedLink>
        )}
      </PageHeader>
      <RecordColumns aside={<Life events={events} reason={reason} />}>
        <Standing record={record} denial={denial} />
        <RecordSection id="details" title={t("details")}>
          <Facts record={record} />
        </RecordSection>
      </RecordColumns>
    </>
  );
}

export default screen("app/(console)/transfers/[id]/page", TransferPage);
