import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { Countdown } from "@/app/(console)/approvals/countdown";
import { denialOf } from "@/app/(console)/denial";
import { requireDesk } from "@/app/(console)/desk";
import { screen } from "@/app/(console)/screen";
import { ClientMessages } from "@/components/client-messages";
import { LiveRefresh } from "@/components/live-refresh";
import { PageHeader } from "@/components/page-header";
import { RecordColumns, RecordSection } from "@/components/record-columns";
import { type ApprovalRow, getApproval } from "@/lib/approvals/queries";
import { decidingPermission, TEXT_MAX_LENGTH } from "@/lib/approval-terms";
import { formatBrl, type Locale } from "@/lib/format";
import { Change } from "./change";
import { Comments } from "./comments";
import { DecideBar } from "./decide-bar";
import { History } from "./history";
import { Outcome } from "./outcome";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("approvals"))("one") };
}

/** `TED · R$ 5.000,00` */
function titleOf(kind: string, headline: ApprovalRow["headline"], locale: Locale): string {
  if (headline === null) return kind;
  if (headline.as === "brl") return `${kind} · ${formatBrl(headline.decimal, locale)}`;
  return headline.as === "text" ? `${kind} · ${headline.text}` : kind;
}

async function ApprovalPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const [desk, found, t, locale] = await Promise.all([
    requireDesk(),
    getApproval(id),
    getTranslations("approvals"),
    getLocale(),
  ]);
  if (!found) notFound();
  const { row, shown, asOf } = found;
  // Whose proposal it is weighs more than what one may do with others'.
  const denial = row.isMine ? t("waitsForOther") : await denialOf(desk.permissions, decidingPermission(row.kind));
  return (
    <ClientMessages namespaces={["age", "approvals", "closing", "kyc", "outcomes", "roles"]}>
      <LiveRefresh topics={["approvals"]} object={row.id} />
      <PageHeader
        title={titleOf(t(`kinds.${row.kind}`), row.headline, locale)}
        parent={{ href: "/approvals", label: t("title") }}
      >
        {row.state === "PENDING" || row.state === "READY" ? (
          <span className="text-sm text-muted tabular-nums">
            <Countdown expiresAt={row.expiresAt} now={asOf} />
          </span>
        ) : null}
        <DecideBar record={found} denial={denial} limit={TEXT_MAX_LENGTH} />
      </PageHeader>
      <RecordColumns
        aside={
          <Comments
            approvalId={row.id}
            comments={found.comments}
            canComment={found.canComment}
            limit={TEXT_MAX_LENGTH}
          />
        }
      >
        <Outcome record={found} />
        {shown === null ? null : (
          <RecordSection id="change" title={t("change")}>
            <Change shown={shown} />
          </RecordSection>
        )}
        <RecordSection id="history" title={t("details")}>
          <History record={found} />
        </RecordSection>
      </RecordColumns>
    </ClientMessages>
  );
}

export default screen(ApprovalPage);
