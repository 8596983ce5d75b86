import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { DataTable } from "@/components/table/data-table";
import { Money } from "@/components/table/money";
import { ProviderText } from "@/components/layout/provider-text";
import { Badge } from "@/components/ui/badge";
import { Status } from "@/components/ui/status";
import { formatCrypto, formatDateTime } from "@/lib/text/format";
import type { UnknownOutcome } from "@/lib/unconfirmed/view";
import { EndOutcome } from "./end-outcome";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireScope, screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { EmptyView } from "@/components/layout/empty-view";
import { LiveRefresh } from "@/components/live/live-refresh";
import { PageHeader } from "@/components/layout/page-header";
import { listUnknownOutcomes } from "@/lib/unconfirmed/queries";

const LOOKS = {
  asking: { tone: "info", progress: "moving" },
  open: { tone: "warning", progress: "waiting" },
} as const;

function OutcomeTable({ rows }: { rows: readonly UnknownOutcome[] }) {
  const t = useTranslations("outcomes");
  return (
    <DataTable
      label={t("title")}
      isStacked
      columns={[
        { header: t("columns.what"), width: "w-[22cqi]" },
        { header: t("columns.about") },
        { header: t("columns.sent"), width: "w-[24cqi]" },
        { header: t("columns.state"), width: "w-[18cqi]" },
        { header: t("columns.act"), width: "w-[20cqi]", align: "end", isHeaderHidden: true },
      ]}
    >
      {rows.map((row) => (
        <OutcomeRow key={row.intentId} row={row} />
      ))}
    </DataTable>
  );
}

function OutcomeRow({ row }: { row: UnknownOutcome }) {
  const t = useTranslations("outcomes");
  const locale = useLocale();
  const { intentId, name, byName, at, contradicted, approvalId, needsApproval } = row;
  return (
    <>
      <tr>
        <td className="font-medium">{t(`names.${name}`)}</td>
        <td>
          <Subject row={row} />
        </td>
        <td className="text-muted tabular-nums">{t("sentAt", { name: byName, time: formatDateTime(at, locale) })}</td>
        <td>
          {contradicted === null ? (
            <>
              <Status {...LOOKS[row.state]}>{t(`states.${row.state}`)}</Status>
              {row.word === null ? null : (
                <span className="block truncate text-sm text-muted">
                  <ProviderText text={row.word} />
                </span>
              )}
            </>
          ) : (
            <Badge tone="negative">{t("contradictedBadge")}</Badge>
          )}
        </td>
        <td data-align="end">
          {approvalId === null ? null : (
            <Link href={`/approvals/${approvalId}`} prefetch={false} className="text-accent hover:underline">
              {t("proposed")}
            </Link>
          )}
          {approvalId === null && row.state === "open" ? (
            <EndOutcome intentId={intentId} needsApproval={needsApproval} denial={null} />
          ) : null}
        </td>
      </tr>
      {contradicted === null ? null : (
        <tr>
          <td colSpan={5} className="text-negative">
            {t("contradicted", {
              name: contradicted.byName,
              outcome: contradicted.outcome,
              time: formatDateTime(contradicted.at, locale),
            })}
          </td>
        </tr>
      )}
    </>
  );
}

function Subject({ row: { subject, amount, coins, destination, href } }: { row: UnknownOutcome }) {
  const [say, t] = [useTranslations("common"), useTranslations("outcomes")];
  const locale = useLocale();
  const text = subject === null ? say("unopened") : <ProviderText text={subject} />;
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 tabular-nums">
      {href === null ? (
        text
      ) : (
        <Link href={href} prefetch={false} className="min-w-0 text-accent hover:underline">
          {text}
        </Link>
      )}
      {amount === null ? null : <Money decimal={amount} />}
      {coins === null ? null : (
        <span>
          {formatCrypto(coins.amount, locale)} <ProviderText text={coins.asset} />
        </span>
      )}
      {destination === null ? null : (
        <span className="basis-full text-sm wrap-anywhere text-muted">
          {t("to")} <ProviderText text={destination} />
        </span>
      )}
    </span>
  );
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("outcomes"))("title") };
}

async function OutcomesPage() {
  const scope = await requireScope();
  if (!scope.permissions.includes("outcomes:end")) return <ForbiddenView screen="outcomes" permission="outcomes:end" />;
  const [{ rows, isWhole }, t] = await Promise.all([listUnknownOutcomes(), getTranslations("outcomes")]);
  return (
    <>
      <LiveRefresh topics={["outcomes", "kyc", "onboarding", "transfers", "wallets", "approvals"]} />
      <PageHeader title={t("title")} lead={t("lead")} />
      {rows.length === 0 ? (
        <EmptyView icon="circle-check" title={t("emptyTitle")} body={t("emptyBody")} />
      ) : (
        <OutcomeTable rows={rows} />
      )}
      {isWhole ? null : <p className="px-5 py-3 text-sm text-muted">{t("notWhole")}</p>}
    </>
  );
}

export default screen("app/(console)/outcomes/page", OutcomesPage);
