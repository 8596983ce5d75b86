import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { requireScope, screen } from "@/app/(console)/screen";
import { deniedReason, ForbiddenView } from "@/app/(console)/permission-denied";
import { PageHeader } from "@/components/layout/page-header";
import { CsvLink } from "@/components/table/csv-link";
import { savedViews } from "@/lib/preferences/queries";
import { hrefWith } from "@/lib/text/page";
import { callPaths, listCalls } from "@/lib/calls/queries";
import { CallFilter } from "@/lib/calls/inputs";
import { listNames } from "@/lib/search/queries";
import { Calls } from "./calls";
import { TokenButton } from "./token-button";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("calls"))("title") };
}

async function CallsPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("audit:read")) return <ForbiddenView screen="calls" />;
  const asked = await searchParams;
  const filter = CallFilter.parse(asked);
  const saved = await savedViews.calls();
  const own = saved.find(({ isDefault }) => isDefault);
  if (own !== undefined && Object.keys(asked).length === 0) redirect(`/calls?${own.search}`);
  const [calls, t] = await Promise.all([listCalls(filter), getTranslations("calls")]);
  const names = await listNames(calls.rows.flatMap(({ object }) => object ?? []));
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")}>
        {scope.permissions.includes("audit:export") ? (
          <CsvLink href={hrefWith("/api/exports/calls", { ...filter, scope: scope.id })} label={t("export")} />
        ) : null}
        <TokenButton denial={await deniedReason(scope.permissions, "settings:manage")} />
      </PageHeader>
      <Calls
        key={JSON.stringify(filter)}
        initial={{ ...calls, names }}
        filter={filter}
        paths={callPaths}
        saved={saved}
      />
    </>
  );
}

export default screen("app/(console)/calls/page", CallsPage);
