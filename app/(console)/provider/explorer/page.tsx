import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { ProviderTabs } from "@/app/(console)/provider/provider-tabs";
import { requireScope, screen } from "@/app/(console)/screen";
import { PageHeader } from "@/components/layout/page-header";
import { ExplorerView } from "@/lib/conformance/inputs";
import { listReads } from "@/lib/conformance/queries";
import { Explorer } from "./explorer";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("explorer"))("title") };
}

async function ExplorerPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("explorer:use")) return <ForbiddenView screen="explorer" />;
  const { read } = ExplorerView.parse(await searchParams);
  const [reads, t] = await Promise.all([listReads(), getTranslations()]);
  return (
    <>
      <PageHeader title={t("provider.title")} lead={t("explorer.lead")} />
      <ProviderTabs current="explorer" mayExplore />
      <Explorer reads={reads} first={read} />
    </>
  );
}

export default screen("app/(console)/provider/explorer/page", ExplorerPage);
