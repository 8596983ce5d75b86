import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { SectionBoundary } from "@/components/freshness/section-boundary";
import { PageHeader } from "@/components/layout/page-header";
import { CsvLink } from "@/components/table/csv-link";
import { LiveRefresh } from "@/components/live/live-refresh";
import { buttonClass } from "@/components/ui/button";
import { Icon } from "@/components/ui/icons";
import { MovementFilter } from "@/lib/movements/inputs";
import { getMovementSummary, listMovements } from "@/lib/movements/queries";
import { savedViews } from "@/lib/preferences/queries";
import { hrefWith } from "@/lib/text/page";
import { MovementList } from "./movement-list";
import { Summary } from "./movement-summary";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("movements"))("title") };
}

async function Sums({ filter }: { filter: MovementFilter }) {
  const summary = await getMovementSummary(filter);
  return <Summary summary={summary} filter={filter} />;
}

/** What a file of the same period and source begins with. */
const fileHref = ({ from, to, kind, account, wallet }: MovementFilter): string => {
  const names = account ?? wallet;
  const scope = names === undefined ? (kind === undefined ? "all" : `${kind}s`) : "chosen";
  return hrefWith("/movements/files", { from, to, scope, names });
};

async function MovementsPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("accounts:read")) return <ForbiddenView screen="movements" />;
  const asked = await searchParams;
  const filter = MovementFilter.parse(asked);
  const saved = await savedViews.movements();
  const own = saved.find(({ isDefault }) => isDefault);
  if (own !== undefined && Object.keys(asked).length === 0) redirect(`/movements?${own.search}`);
  const [page, t] = await Promise.all([listMovements(filter), getTranslations("movements")]);
  const mayExport = scope.permissions.includes("statement:export");
  const { before: _, after: __, ...whole } = filter;
  return (
    <>
      <LiveRefresh topics={["movements"]} />
      <PageHeader title={t("title")} lead={t("lead")}>
        {mayExport ? (
          <>
            <CsvLink
              href={hrefWith("/api/exports/movements/list", { ...whole, scope: scope.id })}
              label={t("exportList")}
            />
            <a href={fileHref(filter)} className={buttonClass("plain")}>
              <Icon of="file-plus" size={14} />
              {t("make")}
            </a>
          </>
        ) : null}
      </PageHeader>
      <MovementList key={JSON.stringify(filter)} page={page} filter={filter} saved={saved} mayExport={mayExport}>
        <SectionBoundary key={JSON.stringify(whole)}>
          <Sums filter={filter} />
        </SectionBoundary>
      </MovementList>
    </>
  );
}

export default screen("app/(console)/movements/page", MovementsPage);
