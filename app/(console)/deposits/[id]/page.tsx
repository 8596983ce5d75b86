import type { Metadata } from "next";
import { type Locale, useLocale, useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import Link from "next/link";
import { DepositAmount, DepositStatus } from "@/app/(console)/deposits/deposit-words";
import { deniedReason, ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { NotFoundView } from "@/components/layout/empty-view";
import { PageHeader } from "@/components/layout/page-header";
import { PersonName } from "@/components/layout/person-name";
import { ProviderText } from "@/components/layout/provider-text";
import { RecordColumns, RecordSection } from "@/components/layout/record-columns";
import { LiveRefresh } from "@/components/live/live-refresh";
import { CopyButton } from "@/components/table/copy-button";
import { SafeLink } from "@/components/table/safe-link";
import { Icon } from "@/components/ui/icons";
import { getDeposit } from "@/lib/deposits/queries";
import type { DepositRecord, DepositRow, TraceStep } from "@/lib/deposits/view";
import { formatCrypto, formatDate, formatDateTime } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { shortId } from "@/lib/text/short";
import { HandleButton } from "./handle-button";
import { WithdrawButton } from "./withdraw-button";

const COPY = {
  reference: "copyReference",
  address: "copyAddress",
  hash: "copyHash",
  sweep: "copyHash",
} as const;

function StepText({ step: { kind, text, isSeen, href, explorer } }: { step: TraceStep }) {
  const t = useTranslations("deposits");
  if (!isSeen) return <span className="text-muted">{t(`trace.unseen.${kind}`)}</span>;
  if (kind === "event") return t("trace.eventSeen");
  if (kind === "matched") return t("trace.matchedSeen");
  if (text === null) return null;
  const shown = kind === "reference" ? <bdi>{text}</bdi> : <ProviderText text={text} />;
  const isCode = kind !== "reference";
  return (
    <span className="flex flex-wrap items-center gap-1">
      {href === null ? (
        <span className={isCode ? "min-w-0 font-mono text-sm wrap-anywhere" : "min-w-0 wrap-anywhere"}>{shown}</span>
      ) : (
        <Link
          href={href}
          prefetch={false}
          className="min-w-0 font-mono text-sm wrap-anywhere text-accent hover:underline"
        >
          {shown}
        </Link>
      )}
      <CopyButton text={text} label={t(COPY[kind])} />
      {explorer === null ? null : <SafeLink link={explorer} />}
    </span>
  );
}

function useSource(): (step: TraceStep) => string {
  const t = useTranslations("deposits.trace");
  return ({ source, byName }) => {
    if (source === "typed") return byName === null ? t("sources.untyped") : t("sources.typed", { name: byName });
    const said = t(`sources.${source}`);
    return byName === null ? said : `${said} · ${t("byName", { name: byName })}`;
  };
}

function Trace({ record: { trace } }: { record: DepositRecord }) {
  const t = useTranslations("deposits.trace");
  const locale = useLocale();
  const sourceOf = useSource();
  return (
    <RecordSection id="trace" title={t("title")}>
      <ol className="border-y border-line py-1.5">
        {trace.map((step) => (
          <li key={step.kind} className="flex items-start gap-2.5 px-5 py-2">
            <Icon
              of={step.isSeen ? "circle-check" : "circle"}
              size={14}
              className={step.isSeen ? "mt-0.75 shrink-0 text-positive" : "mt-0.75 shrink-0 text-faint"}
            />
            <div className="min-w-0 flex-1">
              <p className="text-sm text-muted">{t(`kinds.${step.kind}`)}</p>
              <div className="wrap-anywhere">
                <StepText step={step} />
              </div>
              {step.isSeen ? <p className="text-sm text-muted">{sourceOf(step)}</p> : null}
            </div>
            {!step.isSeen ? null : step.at === null ? (
              <span className="shrink-0 text-sm text-faint">
                {step.kind === "hash" || step.kind === "sweep" ? t("noTime") : null}
              </span>
            ) : (
              <time dateTime={step.at} className="shrink-0 text-sm text-muted tabular-nums">
                {formatDateTime(step.at, locale)}
              </time>
            )}
          </li>
        ))}
      </ol>
    </RecordSection>
  );
}

function Facts({ record: { row, handled, arrivalId } }: { record: DepositRecord }) {
  const t = useTranslations();
  const locale = useLocale();
  const none = <span className="text-faint">{t("deposits.none")}</span>;
  return (
    <DescriptionList>
      <Described name={t("deposits.columns.class")}>
        <DepositStatus row={row} />
      </Described>
      <Described name={t("deposits.columns.amount")}>
        <DepositAmount row={row} />
      </Described>
      <Described name={t("deposits.networkLabel")}>
        {row.network === null ? t("deposits.networkUntold") : t(`wallets.networks.${row.network}`)}
      </Described>
      {row.stage === null ? null : (
        <Described name={t("deposits.stage")}>{t(`deposits.stages.${row.stage}`)}</Described>
      )}
      <Described name={t("deposits.columns.at")}>
        {formatDateTime(row.at, locale)}
        <span className="text-muted">{t("deposits.age", { days: row.ageDays })}</span>
      </Described>
      {row.dueAt === null ? null : <Described name={t("deposits.due")}>{formatDate(row.dueAt, locale)}</Described>}
      <Described name={t("deposits.columns.owner")}>
        {row.owner === null ? (
          <span className="text-faint">{t("deposits.noOwner")}</span>
        ) : (
          <PersonName name={row.owner.name} you={row.owner.isMine ? t("deposits.you") : null} />
        )}
      </Described>
      <Described name={t("deposits.reason")}>
        {row.reason === null ? none : t(`deposits.reasons.${row.reason}`)}
      </Described>
      <Described name={t("deposits.note")}>{row.note === null ? none : <bdi>{row.note}</bdi>}</Described>
      {handled === null ? null : (
        <Described name={t("deposits.handled")}>
          {t("deposits.handledBy", { name: handled.byName, time: formatDateTime(handled.at, locale) })}
        </Described>
      )}
      {arrivalId === null ? null : (
        <Described name={t("deposits.fulfilled")}>
          <Link href={`/deposits/${arrivalId}`} prefetch={false} className="text-accent hover:underline">
            {t("deposits.seeArrival")}
          </Link>
        </Described>
      )}
    </DescriptionList>
  );
}

export async function generateMetadata({ params }: { params: Promise<{ id: string }> }): Promise<Metadata> {
  const { id } = await params;
  return { title: `${(await getTranslations("deposits"))("one")} ${shortId(id)}` };
}

const whatOf = ({ amount, asset, reference }: DepositRow, locale: Locale): string =>
  [`${formatCrypto(amount, locale)} ${providerText(asset ?? "")}`.trim(), reference].filter(Boolean).join(" · ");

async function DepositPage({ params }: { params: Promise<{ id: string }> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("wallets:read")) return <ForbiddenView screen="deposits" />;
  const { id } = await params;
  const [record, denial, t, locale] = await Promise.all([
    getDeposit(id),
    deniedReason(scope.permissions, "wallets:label"),
    getTranslations("deposits"),
    getLocale(),
  ]);
  if (record === null) return <NotFoundView />;
  return (
    <>
      <LiveRefresh topics={["deposits"]} object={record.row.id} />
      <PageHeader title={record.row.reference ?? t("noReference")} parent={{ href: "/deposits", label: t("title") }}>
        <WithdrawButton
          id={record.row.id}
          version={record.version}
          what={whatOf(record.row, locale)}
          isOpen={record.row.kind === "expected" && record.row.class !== null}
          denial={denial}
        />
        {record.row.cause === "withdrawn" ? null : <HandleButton of={record} denial={denial} />}
      </PageHeader>
      <RecordColumns aside={<Trace record={record} />}>
        <RecordSection id="details" title={t("details")}>
          <Facts record={record} />
        </RecordSection>
      </RecordColumns>
    </>
  );
}

export default screen("app/(console)/deposits/[id]/page", DepositPage);
