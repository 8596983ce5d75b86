import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { PageHeader } from "@/components/layout/page-header";
import { MissingFilter } from "@/lib/webhooks/inputs";
import { listMissing } from "@/lib/webhooks/queries";
import { MissingEvents } from "./missing-events";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("missing"))("title") };
}

async function MissingPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("webhooks:read")) return <ForbiddenView screen="webhooks" />;
  const filter = MissingFilter.parse(await searchParams);
  const [missing, t] = await Promise.all([listMissing(filter), getTranslations()]);
  return (
    <>
      <PageHeader
        title={t("missing.title")}
        lead={t("missing.lead")}
        parent={{ href: "/webhooks", label: t("webhooks.title") }}
      />
      <MissingEvents
        key={JSON.stringify(filter)}
        initial={missing}
        filter={filter}
        seesWallets={scope.permissions.includes("wallets:read")}
      />
    </>
  );
}

export default screen("app/(console)/webhooks/missing/page", MissingPage);
