import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireDesk } from "@/app/(console)/desk";
import { ForbiddenView } from "@/app/(console)/forbidden-view";
import { screen } from "@/app/(console)/screen";
import { ClientMessages } from "@/components/client-messages";
import { PageHeader } from "@/components/page-header";
import { auditChoices, listTrail } from "@/lib/audit/queries";
import { AuditFilter } from "@/lib/audit/rules";
import { AuditTrail } from "./audit-trail";
import { ExportLinks } from "./export-links";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("audit"))("title") };
}

async function AuditPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const desk = await requireDesk();
  if (!desk.permissions.includes("audit:read")) return <ForbiddenView screen="audit" permission="audit:read" />;
  const filter = AuditFilter.parse(await searchParams);
  const [trail, t] = await Promise.all([listTrail(filter), getTranslations("audit")]);
  return (
    <ClientMessages namespaces={["audit", "roles"]}>
      <PageHeader title={t("title")} lead={t("lead")}>
        <ExportLinks filter={filter} desk={desk.id} />
      </PageHeader>
      <AuditTrail key={JSON.stringify(filter)} trail={trail} filter={filter} choices={auditChoices} />
    </ClientMessages>
  );
}

export default screen(AuditPage);
