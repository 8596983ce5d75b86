import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireScope, screen } from "@/app/(console)/screen";
import { deniedReason, ForbiddenView } from "@/app/(console)/permission-denied";
import { PageHeader } from "@/components/layout/page-header";
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
  const filter = CallFilter.parse(await searchParams);
  const [calls, t] = await Promise.all([listCalls(filter), getTranslations("calls")]);
  const names = await listNames(calls.rows.flatMap(({ object }) => object ?? []));
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")}>
        <TokenButton denial={await deniedReason(scope.permissions, "settings:manage")} />
      </PageHeader>
      <Calls key={JSON.stringify(filter)} initial={{ ...calls, names }} filter={filter} paths={callPaths} />
    </>
  );
}

export default screen("app/(console)/calls/page", CallsPage);
