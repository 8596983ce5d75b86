import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { Fragment } from "react";
import { RequestLink } from "@/app/(console)/approvals/request-link";
import { type Columns, TableFrame, TableRow } from "@/components/table/data-table";
import { ProviderText } from "@/components/layout/provider-text";
import { Badge } from "@/components/ui/badge";
import { Status } from "@/components/ui/status";
import { formatDateTime } from "@/lib/text/format";
import type { UnknownOutcome } from "@/lib/outcomes/view";
import { ChainCandidates } from "./chain-candidates";
import { EndOutcome } from "./end-outcome";
import { NothingUnconfirmed } from "./under-way";
import { WriteSubject } from "./write-subject";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireScope, screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { LiveRefresh } from "@/components/live/live-refresh";
import { PageHeader } from "@/components/layout/page-header";
import { outcomeCan } from "@/lib/outcomes/can";
import { listUnknownOutcomes } from "@/lib/outcomes/queries";

const LOOKS = {
  asking: { tone: "info", progress: "moving" },
  open: { tone: "warning", progress: "waiting" },
} as const;

function useOutcomeColumns(): Columns<UnknownOutcome> {
  const t = useTranslations("outcomes");
  const names = useTranslations("writes");
  const locale = useLocale();
  return {
    what: { header: t("columns.what"), width: "text", td: "font-medium", cell: ({ name }) => names(name) },
    about: { header: t("columns.about"), width: "text", cell: (row) => <WriteSubject write={row} /> },
    sent: {
      header: t("columns.sent"),
      width: "text",
      td: "text-muted tabular-nums",
      cell: ({ byName, at, requestId }) => (
        <>
          {t("sentAt", { name: byName, time: formatDateTime(at, locale) })} <RequestLink id={requestId} />
        </>
      ),
    },
    state: { header: t("columns.state"), width: "status", cell: (row) => <State row={row} /> },
    act: {
      header: t("columns.act"),
      width: "date",
      align: "end",
      isHeaderHidden: true,
      cell: ({ approvalId, state, intentId, needsApproval, name, candidates }) =>
        approvalId !== null ? (
          <Link href={`/approvals/${approvalId}`} prefetch={false} className="text-accent hover:underline">
            {t("proposed")}
          </Link>
        ) : outcomeCan.end({ isOpen: state === "open", isProposed: false }) === null ? (
          <EndOutcome
            intentId={intentId}
            needsApproval={needsApproval}
            denial={null}
            {...(name === "crypto.transfer" && { candidates })}
          />
        ) : null,
    },
  };
}

function OutcomeTable({ rows }: { rows: readonly UnknownOutcome[] }) {
  const t = useTranslations("outcomes");
  const locale = useLocale();
  const columns = useOutcomeColumns();
  return (
    <TableFrame label={t("title")} columns={columns} narrow="block">
      {rows.map((row) => (
        <Fragment key={row.intentId}>
          <TableRow columns={columns} row={row} />
          {row.candidates.length === 0 ? null : (
            <tr>
              <td colSpan={5}>
                <ChainCandidates intentId={row.intentId} candidates={row.candidates} isOpen={row.state === "open"} />
              </td>
            </tr>
          )}
          {row.contradicted === null ? null : (
            <tr>
              <td colSpan={5} className="text-negative">
                {t("contradicted", {
                  name: row.contradicted.byName,
                  outcome: row.contradicted.outcome,
                  time: formatDateTime(row.contradicted.at, locale),
                })}
              </td>
            </tr>
          )}
        </Fragment>
      ))}
    </TableFrame>
  );
}

function State({ row: { contradicted, state, word } }: { row: UnknownOutcome }) {
  const t = useTranslations("outcomes");
  if (contradicted !== null) return <Badge tone="negative">{t("contradictedBadge")}</Badge>;
  return (
    <>
      <Status {...LOOKS[state]}>{t(`states.${state}`)}</Status>
      {word === null ? null : (
        <span className="block truncate text-sm text-muted">
          <ProviderText text={word} />
        </span>
      )}
    </>
  );
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("outcomes"))("title") };
}

async function OutcomesPage() {
  const scope = await requireScope();
  if (!scope.permissions.includes("outcomes:end")) return <ForbiddenView screen="outcomes" />;
  const [{ rows, isWhole, underWay }, t] = await Promise.all([listUnknownOutcomes(), getTranslations("outcomes")]);
  return (
    <>
      <LiveRefresh topics={["outcomes", "kyc", "onboarding", "transfers", "wallets", "approvals"]} />
      <PageHeader title={t("title")} lead={t("lead")} />
      {rows.length === 0 ? <NothingUnconfirmed underWay={underWay} /> : <OutcomeTable rows={rows} />}
      {isWhole ? null : <p className="px-5 py-3 text-sm text-muted">{t("notWhole")}</p>}
    </>
  );
}

export default screen("app/(console)/outcomes/page", OutcomesPage);
