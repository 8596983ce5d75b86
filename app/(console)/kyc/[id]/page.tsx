import { NotFoundView } from "@/components/table/empty-view";
import { Lock } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { z } from "zod";
import { ObjectCalls } from "@/app/(console)/calls/object-calls";
import { Files } from "@/app/(console)/casework/files";
import { Notes } from "@/app/(console)/casework/notes";
import { denialOf } from "@/app/(console)/denial";
import { requireDesk } from "@/app/(console)/desk";
import { Started } from "@/app/(console)/kyc/new/started";
import { AwayReminder } from "@/app/(console)/kyc/triage/away-reminder";
import { CaseTriage } from "@/app/(console)/kyc/triage/case-triage";
import { Looks } from "@/app/(console)/privacy/looks";
import { screen } from "@/app/(console)/screen";
import { ClientMessages } from "@/components/layout/client-messages";
import { PageHeader } from "@/components/layout/page-header";
import { RecordColumns, RecordSection } from "@/components/layout/record-columns";
import { SectionBoundary } from "@/components/layout/section-boundary";
import { LiveRefresh } from "@/components/live/live-refresh";
import type { Permission } from "@/lib/auth/permission";
import { REASON_MAX_LENGTH } from "@/lib/contract/kyc";
import { addCaseNote, removeCaseFile, retractCaseNote } from "@/lib/kyc/actions";
import { type Casework, getCase, listNeighbours } from "@/lib/kyc/queries";
import { KycFilter } from "@/lib/kyc/rules";
import { filterValues, queueHref, TIMELINE_SHOWS, type TimelineShow } from "@/lib/kyc/view";
import { getShortcuts } from "@/lib/preferences/queries";
import { hrefWith } from "@/lib/text/page";
import { Decisions } from "./decisions";
import { KnownSection, ProviderSection, RelatedSection } from "./provider-section";
import { Neighbours, Standing, WaitingProposal } from "./standing";
import { TimelineSection } from "./timeline-section";

const TimelineChoice = z.object({
  show: z.enum(TIMELINE_SHOWS).catch("all"),
  older: z.string().max(120).nullable().catch(null).default(null),
});

function readCaseAddress(kycUUID: string, asked: Record<string, unknown>) {
  const filter = KycFilter.parse(asked);
  const { show, older } = TimelineChoice.parse(asked);
  const hrefTo = (id: string, more: Record<string, string | undefined> = {}) =>
    hrefWith(`/kyc/${encodeURIComponent(id)}`, { ...filterValues(filter), ...more });
  return {
    filter,
    show,
    older,
    queue: queueHref(filter),
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
  desk: { id: string; permissions: readonly Permission[] };
};

/** Who may not read notes sees only their number. */
async function CaseworkSections({ kycUUID, casework, desk }: CaseworkSectionsProps) {
  const [t, denial] = await Promise.all([getTranslations("casework"), denialOf(desk.permissions, "kyc:note")]);
  if (!casework.isReadable) {
    return (
      <>
        <Hidden id="notes" title={t("notes")} says={t("hidden", { count: casework.notes })} />
        <Hidden id="files" title={t("files")} says={t("filesHidden", { count: casework.files })} />
      </>
    );
  }
  const held = casework.isHeld ? (await getTranslations("failures"))("casework-held") : null;
  return (
    <>
      <Notes
        id={kycUUID}
        notes={casework.notes}
        denial={denial}
        held={held}
        add={addCaseNote}
        retract={retractCaseNote}
      />
      <Files
        id={kycUUID}
        address={`/api/kyc/${encodeURIComponent(kycUUID)}/files`}
        files={casework.files}
        desk={desk.id}
        denial={denial}
        held={held}
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
      action={<Lock aria-hidden size={13} className="shrink-0 self-center text-faint" />}
    />
  );
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("kycCase"))("case") };
}

type CasePageProps = { params: Promise<{ id: string }>; searchParams: Promise<Record<string, unknown>> };

async function CasePage({ params, searchParams }: CasePageProps) {
  const [{ id }, asked] = await Promise.all([params, searchParams]);
  const kycUUID = decodeURIComponent(id);
  const address = readCaseAddress(kycUUID, asked);
  const [desk, found, beside, t, shortcuts] = await Promise.all([
    requireDesk(),
    getCase(kycUUID),
    listNeighbours(kycUUID, address.filter),
    getTranslations("kyc"),
    getShortcuts(),
  ]);
  if (!found) return <NotFoundView />;
  const { row } = found;
  const [denial, revealDenial] = await Promise.all([
    denialOf(desk.permissions, "kyc:decide"),
    denialOf(desk.permissions, "pii:reveal"),
  ]);
  const hrefTo = (one: string | null) => (one === null ? null : address.hrefTo(one));
  return (
    <ClientMessages key={kycUUID} namespaces={["age", "approvals", "kyc", "privacy", "triage"]}>
      <LiveRefresh topics={["kyc"]} object={kycUUID} />
      <LiveRefresh topics={["approvals"]} />
      {asked["started"] === undefined ? null : <Started />}
      <PageHeader title={row.vatNumber} parent={{ href: address.queue, label: t("title") }}>
        <Neighbours previous={hrefTo(beside.previous)} next={hrefTo(beside.next)} />
        <CaseTriage
          subject={row}
          queue={address.queue}
          denial={denial}
          shortcuts={shortcuts}
          reasonLimit={REASON_MAX_LENGTH}
        />
      </PageHeader>
      <AwayReminder permissions={desk.permissions} />
      {row.proposal ? <WaitingProposal proposal={row.proposal} desk={desk} /> : null}
      <Standing found={found} readerId={desk.id.split(":")[0] ?? ""} />
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
                mayOpenProposals={desk.permissions.includes("approvals:authorize")}
              />
            </SectionBoundary>
          </>
        }
      >
        <ProviderSection found={found} />
        <KnownSection kycUUID={kycUUID} start={found.start} denial={revealDenial} />
        <RelatedSection related={found.related} isDocumentKnown={found.start !== null} />
        <CaseworkSections kycUUID={kycUUID} casework={found.casework} desk={desk} />
        <ObjectCalls kind="kyc" id={kycUUID} />
        <Looks kind="kyc" id={kycUUID} />
      </RecordColumns>
    </ClientMessages>
  );
}

export default screen(CasePage);
