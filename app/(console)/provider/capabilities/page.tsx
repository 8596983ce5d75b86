import type { Metadata } from "next";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { ProviderTabs } from "@/app/(console)/provider/provider-tabs";
import { RowsSkeleton } from "@/app/(console)/provider/rows-skeleton";
import { requireScope, screen } from "@/app/(console)/screen";
import { SectionBoundary, UnreadSection } from "@/components/freshness/section-boundary";
import { PageHeader } from "@/components/layout/page-header";
import { BELOW, type Columns, DataTable } from "@/components/table/data-table";
import { cn } from "@/components/ui/cn";
import { type Look, statusCell } from "@/components/ui/status";
import { listCapabilities } from "@/lib/conformance/queries";
import type { CapabilityRow } from "@/lib/conformance/view";
import { readOrDigest } from "@/lib/errors/attempt";
import { formatCount, formatDateTime } from "@/lib/text/format";

const LONG = "py-1.5 wraps";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("conformance.tabs"))("told") };
}

const stateOf = ({ told, of }: CapabilityRow) => (of === 0 ? "unread" : told === 0 ? "untold" : "told");

const LOOKS = {
  told: { tone: "positive", progress: "settled" },
  untold: { tone: "neutral", progress: "settled" },
  unread: { tone: "neutral", progress: "waiting" },
} as const satisfies Record<ReturnType<typeof stateOf>, Look>;

function CapabilityTable({ rows }: { rows: readonly CapabilityRow[] }) {
  const t = useTranslations("conformance.capabilities");
  const say = useTranslations("conformance");
  const locale = useLocale();
  const timeOf = (iso: string | null) => (iso === null ? null : formatDateTime(iso, locale));
  const columns: Columns<CapabilityRow> = {
    part: {
      header: t("columns.part"),
      width: "text",
      td: cn(LONG, "font-medium"),
      cell: ({ name }) => t(`parts.${name}`),
    },
    state: {
      header: t("columns.state"),
      width: "id",
      td: (row) => ({ className: cn(BELOW, LONG, statusCell(LOOKS[stateOf(row)])) }),
      cell: (row) => t(stateOf(row)),
    },
    answers: {
      header: t("columns.answers"),
      width: "id",
      align: "end",
      td: "tabular-nums",
      cell: ({ told, of }) =>
        of === 0 ? null : say("of", { answers: formatCount(told, locale), of: formatCount(of, locale) }),
    },
    first: {
      header: t("columns.first"),
      width: "date",
      from: "wide",
      td: "tabular-nums text-muted",
      cell: ({ firstAt }) => timeOf(firstAt),
    },
    last: {
      header: t("columns.last"),
      width: "date",
      td: cn(BELOW, "tabular-nums text-muted"),
      cell: ({ lastAt }) => timeOf(lastAt),
    },
    operation: {
      header: t("columns.operation"),
      width: "text",
      from: "wide",
      td: cn(LONG, "font-mono text-sm text-muted"),
      cell: ({ operation }) => operation,
    },
  };
  return <DataTable label={t("table")} columns={columns} rows={rows} keyOf={({ name }) => name} narrow="grid" />;
}

async function Capabilities() {
  const [read, t] = await Promise.all([readOrDigest(listCapabilities()), getTranslations("conformance.capabilities")]);
  if (!read.ok) return <UnreadSection digest={read.digest} said={read.said} />;
  return (
    <>
      <CapabilityTable rows={read.data} />
      <p className="px-5 py-3 text-sm text-muted">{t("note")}</p>
    </>
  );
}

async function CapabilitiesPage() {
  const scope = await requireScope();
  if (!scope.permissions.includes("audit:read")) return <ForbiddenView screen="provider" />;
  const t = await getTranslations();
  return (
    <>
      <PageHeader title={t("provider.title")} lead={t("conformance.lead")} />
      <ProviderTabs current="told" mayExplore={scope.permissions.includes("explorer:use")} />
      <SectionBoundary>
        <Suspense fallback={<RowsSkeleton />}>
          <Capabilities />
        </Suspense>
      </SectionBoundary>
    </>
  );
}

export default screen("app/(console)/provider/capabilities/page", CapabilitiesPage);
