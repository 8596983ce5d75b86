import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { PageHeader } from "@/components/layout/page-header";
import { SearchText } from "@/lib/text/filter";
import { PaidForm } from "./paid-form";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("paid"))("title") };
}

async function PaidPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("deposits:ask")) return <ForbiddenView screen="paid" />;
  const [{ asked }, t] = await Promise.all([searchParams, getTranslations("paid")]);
  const text = SearchText.safeParse(asked).data ?? "";
  return (
    <>
      <PageHeader title={t("title")} />
      <PaidForm key={text} asked={text} />
    </>
  );
}

export default screen("app/(console)/paid/page", PaidPage);
