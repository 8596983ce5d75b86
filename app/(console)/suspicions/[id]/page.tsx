import type { Metadata } from "next";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import Link from "next/link";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { SuspicionDue, SuspicionStatus } from "@/app/(console)/suspicions/suspicion-words";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { NotFoundView } from "@/components/layout/empty-view";
import { PageHeader } from "@/components/layout/page-header";
import { RecordColumns, RecordSection } from "@/components/layout/record-columns";
import { LiveRefresh } from "@/components/live/live-refresh";
import { getSuspicion } from "@/lib/suspicions/queries";
import { NEXT_STATES, type SuspicionRecord } from "@/lib/suspicions/view";
import { formatDate, formatDateTime } from "@/lib/text/format";
import { shortId } from "@/lib/text/short";
import { MoveButton } from "./move-button";

function Facts({ record: { row } }: { record: SuspicionRecord }) {
  const t = useTranslations("suspicions");
  const locale = useLocale();
  return (
    <DescriptionList>
      <Described name={t("columns.state")}>
        <SuspicionStatus state={row.state} />
        <span className="text-muted">{t("since", { day: formatDate(row.enteredOn, locale) })}</span>
      </Described>
      {row.dueOn === null ? null : (
        <Described name={t(`due.${row.state}`)}>
          <SuspicionDue row={row} />
        </Described>
      )}
      <Described name={t("columns.occurred")}>{formatDate(row.occurredOn, locale)}</Described>
      <Described name={t("columns.document")}>
        <Link
          href={`/kyc/${encodeURIComponent(row.kycUUID)}`}
          prefetch={false}
          className="text-accent tabular-nums hover:underline"
        >
          {row.document}
        </Link>
      </Described>
      {row.reportNumber === null ? null : (
        <Described name={t("reportNumber")}>
          <bdi>{row.reportNumber}</bdi>
        </Described>
      )}
      {row.reportedOn === null ? null : (
        <Described name={t("reportedOn")}>{formatDate(row.reportedOn, locale)}</Described>
      )}
      <Described name={t("columns.by")}>
        {row.raisedBy}
        <span className="text-muted">{formatDateTime(row.createdAt, locale)}</span>
      </Described>
    </DescriptionList>
  );
}

function Steps({ record: { steps } }: { record: SuspicionRecord }) {
  const t = useTranslations("suspicions");
  const locale = useLocale();
  return (
    <RecordSection id="steps" title={t("steps")}>
      <ol className="divide-y divide-line border-y border-line">
        {steps.map(({ id, state, byName, at, text }, nth) => (
          <li key={id} className="px-5 py-2.5">
            <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
              {state === steps[nth - 1]?.state ? <span>{t("note.title")}</span> : <SuspicionStatus state={state} />}
              <span>{byName}</span>
              <time dateTime={at} className="ml-auto tabular-nums">
                {formatDateTime(at, locale)}
              </time>
            </p>
            <p className="mt-1 wrap-anywhere whitespace-pre-wrap">
              <bdi>{text}</bdi>
            </p>
          </li>
        ))}
      </ol>
    </RecordSection>
  );
}

type SuspicionPageProps = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: SuspicionPageProps): Promise<Metadata> {
  const { id } = await params;
  return { title: `${(await getTranslations("suspicions"))("one")} ${shortId(id)}` };
}

async function SuspicionPage({ params }: SuspicionPageProps) {
  const scope = await requireScope();
  if (!scope.permissions.includes("suspicions:handle")) return <ForbiddenView screen="suspicions" />;
  const { id } = await params;
  const [record, t] = await Promise.all([getSuspicion(id), getTranslations("suspicions")]);
  if (record === null) return <NotFoundView />;
  const { row } = record;
  return (
    <>
      <LiveRefresh topics={["suspicions"]} object={row.id} />
      <PageHeader title={row.document} parent={{ href: "/suspicions", label: t("title") }}>
        <MoveButton of={record} to={row.state} />
        {NEXT_STATES[row.state].toReversed().map((to) => (
          <MoveButton key={to} of={record} to={to} isPrimary={to !== "dismissed"} />
        ))}
      </PageHeader>
      <RecordColumns aside={<Steps record={record} />}>
        <RecordSection id="details" title={t("details")}>
          <Facts record={record} />
        </RecordSection>
        <p className="px-5 py-3 text-sm text-muted">{t("secret")}</p>
      </RecordColumns>
    </>
  );
}

export default screen("app/(console)/suspicions/[id]/page", SuspicionPage);
