import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ObjectCalls } from "@/app/(console)/calls/object-calls";
import { Started } from "@/app/(console)/kyc/new/started";
import { AwayReminder } from "@/app/(console)/kyc/triage/away-reminder";
import { CaseTriage } from "@/app/(console)/kyc/triage/case-triage";
import { denialOf } from "@/app/(console)/denial";
import { requireDesk } from "@/app/(console)/desk";
import { Looks } from "@/app/(console)/privacy/looks";
import { screen } from "@/app/(console)/screen";
import { ClientMessages } from "@/components/client-messages";
import { LiveRefresh } from "@/components/live-refresh";
import { PageHeader } from "@/components/page-header";
import { RecordColumns } from "@/components/record-columns";
import { SectionBoundary } from "@/components/section-boundary";
import { REASON_MAX_LENGTH } from "@/lib/contract/kyc";
import { getCase, listNeighbours } from "@/lib/kyc/queries";
import { getShortcuts } from "@/lib/preferences/queries";
import { readCaseAddress } from "./case-address";
import { CaseworkSections } from "./casework-sections";
import { Decisions } from "./decisions";
import { KnownSection } from "./known-section";
import { Neighbours } from "./neighbours";
import { ProviderSection } from "./provider-section";
import { RelatedSection } from "./related-section";
import { Standing } from "./standing";
import { TimelineSection } from "./timeline-section";
import { WaitingProposal } from "./waiting-proposal";

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
  if (!found) notFound();
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
