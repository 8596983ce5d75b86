import { Fragment, type ReactNode } from "react";
import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { DoubtNotices, DueTag } from "@/app/(console)/kyc/case-words";
import { PersonName } from "@/components/layout/person-name";
import { KycStatusBadge } from "@/components/layout/badges";
import { buttonClass } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { type KycCaseView, type KycRow, type Casework, getCase, listNeighbours } from "@/lib/kyc/queries";
import { formatDateTime } from "@/lib/text/format";
import { shortId } from "@/lib/text/short";
import { getTranslations } from "next-intl/server";
import { DoneNotice } from "@/components/layout/confirmation";
import { NotFoundView } from "@/components/layout/empty-view";
import type { Metadata } from "next";
import { z } from "zod";
import { ObjectCalls } from "@/app/(console)/calls/object-calls";
import { FileDesk } from "@/app/(console)/notes/file-desk";
import { Files } from "@/app/(console)/notes/files";
import { Notes } from "@/app/(console)/notes/notes";
import { deniedReason } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { RelatedSection } from "@/app/(console)/kyc/related-section";
import { AwayReminder } from "@/app/(console)/kyc/triage/away-reminder";
import { CaseTriage } from "@/app/(console)/kyc/triage/case-triage";
import { EscalationNotice } from "@/app/(console)/kyc/triage/escalation-notice";
import { PutOffNotice } from "@/app/(console)/kyc/triage/put-off-notice";
import { CaseSuspicions } from "@/app/(console)/suspicions/case-suspicions";
import { AccessLog } from "@/app/(console)/privacy/access-log";
import { PageHeader } from "@/components/layout/page-header";
import { RecordColumns, RecordSection } from "@/components/layout/record-columns";
import { SectionBoundary } from "@/components/freshness/section-boundary";
import { LiveRefresh } from "@/components/live/live-refresh";
import type { Permission } from "@/lib/permission/permission";
import { addCaseNote, removeCaseFile, retractCaseNote } from "@/lib/kyc/actions";
import { KycFilter } from "@/lib/kyc/inputs";
import { noteCan } from "@/lib/notes/can";
import { queueFilterValues, caseQueueHref, TIMELINE_SHOWS, type TimelineShow } from "@/lib/kyc/view";
import { listSuspicionsOf } from "@/lib/suspicions/queries";
import { hrefWith } from "@/lib/text/page";
import { CaseTags } from "./case-tags";
import { Decisions } from "./decisions";
import { KnownSection, ProviderSection } from "./provider-section";
import { TimelineSection } from "./timeline-section";

type NeighboursProps = { previous: string | null; next: string | null };

function Neighbours({ previous, next }: NeighboursProps) {
  const t = useTranslations("kycCase");
  const common = useTranslations("common");
  const steps = [
    { href: previous, label: t("previous"), rel: "prev", icon: "chevron-left" },
    { href: next, label: t("next"), rel: "next", icon: "chevron-right" },
  ] as const;
  if (previous === null && next === null) return null;
  return (
    <nav aria-label={t("beside")} className="flex gap-1">
      {steps.map(({ href, label, rel, icon }) =>
        href === null ? (
          <span key={label} aria-disabled title={common("noMore")} className={buttonClass("quiet", "small")}>
            <Icon of={icon} size={14} />
            <span className="sr-only">{label}</span>
          </span>
        ) : (
          <Link
            key={label}
            href={href}
            rel={rel}
            prefetch={false}
            aria-label={label}
            title={label}
            className={buttonClass("quiet", "small")}
          >
            <Icon of={icon} size={14} />
          </Link>
        ),
      )}
    </nav>
  );
}

type Reader = { id: string; permissions: readonly string[] };

type WaitingApprovalProps = { pendingApproval: NonNullable<KycRow["pendingApproval"]>; scope: Reader };

/** People who may follow proposals, and the maker. */
const maySee = ({ id, permissions }: Reader, makerId: string) =>
  id.startsWith(`${makerId}:`) || permissions.includes("approvals:authorize") || permissions.includes("audit:read");

function WaitingApproval({ pendingApproval, scope }: WaitingApprovalProps) {
  const t = useTranslations("approvals");
  return (
    <Notice tone={pendingApproval.isUnderWay ? "info" : "warning"} className="mx-5 mb-3">
      {t(pendingApproval.isUnderWay ? "underWay" : "waitsFor", { name: pendingApproval.makerName })}{" "}
      {maySee(scope, pendingApproval.makerId) ? (
        <Link
          href={`/approvals/${pendingApproval.approvalId}`}
          prefetch={false}
          className="font-medium text-accent underline"
        >
          {t("seeProposal")}
        </Link>
      ) : null}
    </Notice>
  );
}

const textOf = (casework: Casework, noteId: string | null): string | null =>
  casework.isReadable ? (casework.notes.find(({ id }) => id === noteId)?.text ?? null) : null;

type StandingProps = { found: KycCaseView; readerId: string; mayTag: boolean };

function Standing({ found: { row, now, dueSoonHours }, readerId, mayTag }: StandingProps) {
  const t = useTranslations("kycCase");
  const locale = useLocale();
  const { assignee, assignedAt, waitingSince, decidedAt, dueAt, exposure, tags } = row;
  const waits = decidedAt ?? waitingSince;
  return (
    <section aria-label={t("standing")} className="border-t border-line px-5 py-3.5">
      <p className="hidden pb-2 text-sm tabular-nums print:block">
        {t("printedOf", { time: formatDateTime(now, locale) })}
      </p>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-3 medium:flex medium:flex-wrap">
        <Fact name={t("status")}>
          <KycStatusBadge status={row.status} />
        </Fact>
        {dueAt === null || decidedAt !== null ? null : (
          <Fact name={t("due")} detail={formatDateTime(dueAt, locale)}>
            <DueTag row={row} readAt={now} dueSoonHours={dueSoonHours} />
          </Fact>
        )}
        <Fact
          name={t("assignee")}
          detail={assignee === null ? null : t("since", { time: formatDateTime(assignedAt ?? now, locale) })}
        >
          {assignee === null ? (
            <span className="text-muted">{t("unassigned")}</span>
          ) : (
            <PersonName name={assignee.name} you={assignee.id === readerId ? t("you") : null} />
          )}
        </Fact>
        <Fact name={t("exposed")}>
          <span className={exposure === "yes" || exposure === "perhaps" ? "text-warning" : "text-muted"}>
            {t(`exposures.${exposure}`)}
          </span>
        </Fact>
        {waits === null ? null : (
          <Fact name={t(decidedAt === null ? "waits" : "decided")}>
            <time dateTime={waits} className="tabular-nums">
              {formatDateTime(waits, locale)}
            </time>
          </Fact>
        )}
        {tags.length === 0 && !mayTag ? null : (
          <Fact name={t("tags")}>
            <CaseTags kycUUID={row.kycUUID} tags={tags} mayTag={mayTag} />
          </Fact>
        )}
      </dl>
    </section>
  );
}

type FactProps = { name: string; detail?: string | null; children: ReactNode };

function Fact({ name, detail = null, children }: FactProps) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="flex min-h-6.5 min-w-0 items-center text-md font-medium wrap-anywhere">{children}</dd>
      {detail === null ? null : <dd className="text-sm text-muted tabular-nums">{detail}</dd>}
    </div>
  );
}

async function Started() {
  const t = await getTranslations("kycStart");
  return <DoneNotice said={t("startedDone")} />;
}

const TimelineChoice = z.object({
  show: z.enum(TIMELINE_SHOWS).catch("all"),
  older: z.string().max(120).nullable().catch(null).default(null),
});

function readCaseAddress(kycUUID: string, asked: Record<string, unknown>) {
  const filter = KycFilter.parse(asked);
  const { show, older } = TimelineChoice.parse(asked);
  const hrefTo = (id: string, more: Record<string, string | undefined> = {}) =>
    hrefWith(`/kyc/${encodeURIComponent(id)}`, { ...queueFilterValues(filter), ...more });
  return {
    filter,
    show,
    older,
    queue: caseQueueHref(filter),
    hrefTo,
    timelineHref: (changes: { show?: TimelineShow; older?: string }) => {
      const chosen = changes.show ?? show;
      return `${hrefTo(kycUUID, { show: chosen === "all" ? undefined : chosen, older: changes.older })}#timeline`;
    },
  };
}

type CaseworkSectionsProps = {
  kycUUID: string;
  casework: Casework;
  scope: { id: string; permissions: readonly Permission[] };
};

/** Without permission to read notes, only their number is shown. */
async function CaseworkSections({ kycUUID, casework, scope }: CaseworkSectionsProps) {
  const [t, denial] = await Promise.all([getTranslations("casework"), deniedReason(scope.permissions, "kyc:note")]);
  if (!casework.isReadable) {
    return (
      <>
        <Hidden id="notes" title={t("notes")} says={t("hidden", { count: casework.notes })} />
        <Hidden id="files" title={t("files")} says={t("filesHidden", { count: casework.files })} />
      </>
    );
  }
  const held = noteCan.remove(casework);
  const heldReason = held === null ? null : (await getTranslations("failures"))(held.code);
  return (
    <>
      <Notes
        id={kycUUID}
        notes={casework.notes}
        denial={denial}
        heldReason={heldReason}
        add={addCaseNote}
        retract={retractCaseNote}
      />
      <Files
        id={kycUUID}
        address={`/api/kyc/${encodeURIComponent(kycUUID)}/files`}
        files={casework.files}
        scope={scope.id}
        denial={denial}
        heldReason={heldReason}
        remove={removeCaseFile}
      />
    </>
  );
}

function Hidden({ id, title, says }: { id: string; title: string; says: string }) {
  return (
    <RecordSection
      id={id}
      title={title}
      empty={says}
      action={<Icon of="lock" size={13} className="shrink-0 self-center text-faint" />}
    />
  );
}

export async function generateMetadata({ params }: CasePageProps): Promise<Metadata> {
  const { id } = await params;
  return { title: `${(await getTranslations("kycCase"))("case")} ${shortId(decodeURIComponent(id))}` };
}

type CasePageProps = { params: Promise<{ id: string }>; searchParams: Promise<Record<string, unknown>> };

async function CasePage({ params, searchParams }: CasePageProps) {
  const [{ id }, asked] = await Promise.all([params, searchParams]);
  const kycUUID = decodeURIComponent(id);
  const address = readCaseAddress(kycUUID, asked);
  const [scope, found, beside, t, words] = await Promise.all([
    requireScope(),
    getCase(kycUUID),
    listNeighbours(kycUUID, address.filter),
    getTranslations("kyc"),
    getTranslations("kycCase"),
  ]);
  if (!found) return <NotFoundView />;
  const { row } = found;
  const [suspicions, denial, revealDenial, linkDenial] = await Promise.all([
    scope.permissions.includes("suspicions:handle") ? listSuspicionsOf(kycUUID) : null,
    deniedReason(scope.permissions, "kyc:decide"),
    deniedReason(scope.permissions, "pii:reveal"),
    deniedReason(scope.permissions, "onboarding:follow"),
  ]);
  const hrefTo = (one: string | null) => (one === null ? null : address.hrefTo(one));
  return (
    <Fragment key={kycUUID}>
      <LiveRefresh topics={["kyc"]} object={kycUUID} />
      <LiveRefresh topics={["approvals"]} />
      {suspicions === null ? null : <LiveRefresh topics={["suspicions"]} />}
      {asked["started"] === undefined ? null : <Started />}
      <PageHeader title={row.vatNumber} parent={{ href: address.queue, label: t("title") }}>
        <Neighbours previous={hrefTo(beside.previous)} next={hrefTo(beside.next)} />
        <a
          href={hrefWith(`/api/kyc/${encodeURIComponent(kycUUID)}/pdf`, { scope: scope.id })}
          download
          title={words("exportHint")}
          aria-label={words("export")}
          className={buttonClass("quiet", "small")}
        >
          <Icon of="download" size={13} />
          PDF
        </a>
        <CaseTriage subject={row} queue={address.queue} denial={denial} />
      </PageHeader>
      <AwayReminder permissions={scope.permissions} />
      {row.pendingApproval ? <WaitingApproval pendingApproval={row.pendingApproval} scope={scope} /> : null}
      <DoubtNotices row={row} className="mx-5 mb-3" />
      {row.escalation === null ? null : (
        <EscalationNotice
          subject={row}
          escalation={row.escalation}
          texts={{
            question: textOf(found.casework, row.escalation.id),
            answer: textOf(found.casework, row.escalation.answer?.id ?? null),
          }}
          isSecondLevel={scope.permissions.includes("approvals:authorize")}
        />
      )}
      {row.putOff === null ? null : (
        <PutOffNotice
          subject={row}
          putOff={row.putOff}
          reason={textOf(found.casework, row.putOff.id)}
          denial={denial}
        />
      )}
      <Standing
        found={found}
        readerId={scope.id.split(":")[0] ?? ""}
        mayTag={scope.permissions.includes("kyc:assign")}
      />
      <FileDesk>
        <RecordColumns
          aside={
            <>
              <SectionBoundary>
                <Decisions kycUUID={kycUUID} decisions={found.decisions} denial={denial} />
              </SectionBoundary>
              <SectionBoundary>
                <TimelineSection
                  kycUUID={kycUUID}
                  show={address.show}
                  before={address.older}
                  hrefOf={address.timelineHref}
                  mayOpenProposals={scope.permissions.includes("approvals:authorize")}
                />
              </SectionBoundary>
            </>
          }
        >
          <ProviderSection found={found} linkDenial={linkDenial} />
          <KnownSection kycUUID={kycUUID} start={found.start} denial={revealDenial} />
          <RelatedSection related={found.related} by={found.start === null ? "perhaps" : "sure"} />
          <CaseworkSections kycUUID={kycUUID} casework={found.casework} scope={scope} />
          {suspicions === null ? null : <CaseSuspicions kycUUID={kycUUID} suspicions={suspicions} />}
          <ObjectCalls kind="kyc" id={kycUUID} />
          <AccessLog kind="kyc" id={kycUUID} search={asked} />
        </RecordColumns>
      </FileDesk>
    </Fragment>
  );
}

export default screen("app/(console)/kyc/[id]/page", CasePage);
