import type { Metadata } from "next";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { PageHeader } from "@/components/layout/page-header";
import { LiveRefresh } from "@/components/live/live-refresh";
import { type Columns, DataTable } from "@/components/table/data-table";
import { EmptyView } from "@/components/layout/empty-view";
import { ShortCode } from "@/components/table/short-code";
import { buttonClass } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Icon } from "@/components/ui/icons";
import { listMovementFiles } from "@/lib/movements/queries";
import type { MovementExportRow } from "@/lib/movements/view";
import { OPEN_STATES } from "@/lib/db/enums/movements";
import { formatDate, formatDateTime } from "@/lib/text/format";
import { formatSize } from "@/lib/text/measures";
import { hrefWith } from "@/lib/text/page";
import { FileWanted } from "@/lib/movements/inputs";
import { shortHash } from "@/lib/text/short";
import { MovementTabs } from "@/app/(console)/movements/movement-tabs";
import { MovementForm } from "./movement-form";
import { StopButton } from "./stop-button";
import { ControlTotals } from "./control-totals";
import { Progress } from "./progress";

const LONG = "py-2 align-top wraps";

function FileCell({ file, scope }: { file: MovementExportRow; scope: string }) {
  const t = useTranslations("movements");
  const locale = useLocale();
  const { id, state, sizeBytes, expiresAt, sha256 } = file;
  const period = { from: formatDate(file.from, locale), to: formatDate(file.to, locale) };
  if (OPEN_STATES.some((open) => open === state)) return <StopButton id={id} label={t("stopOf", period)} />;
  if (state !== "READY" || sizeBytes === null || expiresAt === null) return null;
  return (
    <>
      <a
        href={hrefWith("/api/exports/movements", { id, scope })}
        download
        aria-label={t("downloadOf", { ...period, format: t(`formats.${file.format}`) })}
        className={buttonClass("plain", "small")}
      >
        <Icon of="download" size={14} />
        {t("download")}
      </a>
      <span className="block text-sm text-muted tabular-nums">
        {t("size", { size: formatSize(sizeBytes, locale), day: formatDate(expiresAt, locale) })}
      </span>
      {sha256 === null ? null : (
        <span className="flex flex-wrap items-center gap-x-1.5 text-sm text-faint">
          <span>SHA-256</span>
          <ShortCode text={sha256} shown={shortHash(sha256)} copyLabel={t("copySha256")} />
        </span>
      )}
    </>
  );
}

function FileTable({ files, scope }: { files: readonly MovementExportRow[]; scope: string }) {
  const t = useTranslations("movements");
  const locale = useLocale();
  const requested = ({ byName, createdAt }: MovementExportRow) =>
    t("requested", { name: byName, time: formatDateTime(createdAt, locale) });
  const columns: Columns<MovementExportRow> = {
    period: {
      header: t("columns.period"),
      width: "text",
      th: "w-[8rem] @wide:w-[9.5rem]",
      td: cn(LONG, "font-medium tabular-nums"),
      cell: (file) => (
        <>
          {`${formatDate(file.from, locale)} – ${formatDate(file.to, locale)}`}
          <span className="block text-sm font-normal text-muted">{t(`formats.${file.format}`)}</span>
          <span className="block text-sm font-normal text-muted @wide:hidden">{requested(file)}</span>
        </>
      ),
    },
    state: {
      header: t("columns.state"),
      width: "text",
      td: cn(LONG, "[&_span]:whitespace-normal!"),
      cell: (file) => <Progress file={file} />,
    },
    totals: {
      header: t("columns.totals"),
      width: "text",
      th: "w-[44%] @wide:w-[40%]",
      td: LONG,
      cell: ({ totals }) => (totals === null ? null : <ControlTotals totals={totals} />),
    },
    by: {
      header: t("columns.by"),
      width: "name",
      from: "wide",
      td: cn(LONG, "text-muted tabular-nums"),
      cell: requested,
    },
    act: {
      header: t("columns.act"),
      width: "name",
      td: LONG,
      cell: (file) => <FileCell file={file} scope={scope} />,
    },
  };
  return <DataTable label={t("files")} columns={columns} rows={files} keyOf={({ id }) => id} narrow="block" />;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("movementFiles"))("title") };
}

async function FilesPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("statement:export")) return <ForbiddenView screen="movementFiles" />;
  const [files, t, asked] = await Promise.all([listMovementFiles(), getTranslations("movements"), searchParams]);
  const wanted = FileWanted.parse(asked);
  const hasWallets = scope.permissions.includes("wallets:read");
  return (
    <>
      <LiveRefresh topics={["movements"]} />
      <PageHeader title={t("title")} lead={t("filesLead")} />
      <div className="border-b border-line px-5">
        <MovementTabs kind="files" hasWallets={hasWallets} mayExport />
      </div>
      <MovementForm key={JSON.stringify(wanted)} wanted={wanted} hasWallets={hasWallets} />
      {files.length === 0 ? (
        <EmptyView icon="receipt-text" title={t("emptyTitle")} body={t("emptyBody")} />
      ) : (
        <FileTable files={files} scope={scope.id} />
      )}
    </>
  );
}

export default screen("app/(console)/movements/files/page", FilesPage);
