import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { PageHeader } from "@/components/layout/page-header";
import { SuspicionFilter } from "@/lib/suspicions/inputs";
import { listSuspicions } from "@/lib/suspicions/queries";
import { SuspicionList } from "./suspicion-list";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("suspicions"))("title") };
}

async function SuspicionsPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("suspicions:handle")) return <ForbiddenView screen="suspicions" />;
  const filter = SuspicionFilter.parse(await searchParams);
  const [initial, t] = await Promise.all([listSuspicions(filter), getTranslations("suspicions")]);
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <SuspicionList key={JSON.stringify(filter)} initial={initial} filter={filter} />
    </>
  );
}

export default screen("app/(console)/suspicions/page", SuspicionsPage);
