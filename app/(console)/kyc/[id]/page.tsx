import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { ObjectCalls } from "@/app/(console)/calls/object-calls";
import { KycStepName, KycTypeName } from "@/app/(console)/kyc/case-words";
import { denialOf } from "@/app/(console)/denial";
import { requireDesk } from "@/app/(console)/desk";
import { Looks } from "@/app/(console)/privacy/looks";
import { screen } from "@/app/(console)/screen";
import { ClientMessages } from "@/components/client-messages";
import { CopyButton } from "@/components/copy-button";
import { Described, DescriptionList } from "@/components/description-list";
import { LiveRefresh } from "@/components/live-refresh";
import { PageHeader } from "@/components/page-header";
import { RecordColumns, RecordSection } from "@/components/record-columns";
import { SafeLink } from "@/components/safe-link";
import { KycStatusBadge } from "@/components/status-badge";
import { REASON_MAX_LENGTH } from "@/lib/contract/kyc";
import { formatDateTime, formatTime } from "@/lib/format";
import { getCase } from "@/lib/kyc/queries";
import { DecideButton } from "./decide-button";
import { Decisions } from "./decisions";
import { WaitingProposal } from "./waiting-proposal";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("kycCase"))("case") };
}

async function CasePage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const [desk, found, t, locale] = await Promise.all([
    requireDesk(),
    getCase(decodeURIComponent(id)),
    getTranslations(),
    getLocale(),
  ]);
  if (!found) notFound();
  const { row, asOf, decisions, webview } = found;
  const denial = await denialOf(desk.permissions, "kyc:decide");
  return (
    <ClientMessages namespaces={["approvals", "kyc"]}>
      <LiveRefresh topics={["kyc"]} object={row.kycUUID} />
      <LiveRefresh topics={["approvals"]} />
      <PageHeader title={row.vatNumber} parent={{ href: "/kyc", label: t("kyc.title") }}>
        <span className="text-sm text-muted tabular-nums max-desk:hidden">
          {t("common.updatedAt", { time: formatTime(asOf, locale) })}
        </span>
        <DecideButton subject={row} denial={denial} reasonLimit={REASON_MAX_LENGTH} />
      </PageHeader>
      {row.proposal ? <WaitingProposal proposal={row.proposal} desk={desk} /> : null}
      <RecordColumns aside={<Decisions decisions={decisions} />}>
        <RecordSection id="process" title={t("kycCase.details")}>
          <DescriptionList>
            <Described name={t("kyc.columns.status")}>
              <KycStatusBadge status={row.status} />
            </Described>
            <Described name={t("kyc.columns.document")}>{row.vatNumber}</Described>
            <Described name={t("kyc.columns.type")}>
              <KycTypeName type={row.kycType} />
            </Described>
            <Described name={t("kyc.columns.process")}>
              <KycStepName process={row.process} />
            </Described>
            <Described name={t("kyc.columns.id")}>
              <code className="font-mono text-sm break-all">{row.kycUUID}</code>
              <CopyButton text={row.kycUUID} label={t("common.copy")} />
            </Described>
            <Described name={t("kycCase.webview")}>
              {webview ? <SafeLink link={webview} /> : <span className="text-muted">{t("kycCase.noWebview")}</span>}
            </Described>
            <Described name={t("kycCase.firstSeen")}>{formatDateTime(row.firstSeenAt, locale)}</Described>
            <Described name={t("kycCase.changedAt")}>{formatDateTime(row.changedAt, locale)}</Described>
          </DescriptionList>
          <p className="px-5 pt-2 text-sm text-muted">{t("kycCase.listOnly")}</p>
        </RecordSection>
        <ObjectCalls kind="kyc" id={row.kycUUID} />
        <Looks kind="kyc" id={row.kycUUID} />
      </RecordColumns>
    </ClientMessages>
  );
}

export default screen(CasePage);
