import { Icon } from "@/components/ui/icons";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { requireScope, screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { PageHeader } from "@/components/layout/page-header";
import { buttonClass } from "@/components/ui/button";
import { auditChoices, listTrail } from "@/lib/audit-trail/queries";
import { AuditFilter } from "@/lib/audit-trail/inputs";
import { objectsIn } from "@/lib/audit-trail/view";
import { hrefWith } from "@/lib/text/page";
import { savedViews } from "@/lib/preferences/queries";
import { listReasons } from "@/lib/privacy/queries";
import { listNames } from "@/lib/search/queries";
import { AuditTrail } from "./audit-trail";

type ExportLinksProps = { filter: AuditFilter; scope: string };

function ExportLinks({ filter, scope }: ExportLinksProps) {
  const t = useTranslations("audit");
  const wanted = { ...filter, before: undefined, after: undefined, scope };
  return (
    <div className="flex items-center gap-2">
      {(["csv", "json"] as const).map((format) => (
        <a
          key={format}
          href={hrefWith("/api/exports/audit", { ...wanted, format })}
          download
          aria-label={t(`export.${format}`)}
          className={buttonClass("plain", "small")}
        >
          <Icon of="download" size={14} />
          {format.toUpperCase()}
        </a>
      ))}
    </div>
  );
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("audit"))("title") };
}

async function AuditPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("audit:read")) return <ForbiddenView screen="audit" />;
  const asked = await searchParams;
  const filter = AuditFilter.parse(asked);
  const saved = await savedViews.audit();
  const own = saved.find(({ isDefault }) => isDefault);
  if (own !== undefined && Object.keys(asked).length === 0) redirect(`/audit?${own.search}`);
  const [trail, t] = await Promise.all([listTrail(filter), getTranslations("audit")]);
  const [names, reasons] = await Promise.all([
    listNames(trail.rows.flatMap(objectsIn)),
    listReasons(trail.rows.flatMap(({ intentId }) => intentId ?? [])),
  ]);
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")}>
        <ExportLinks filter={filter} scope={scope.id} />
      </PageHeader>
      <AuditTrail
        key={JSON.stringify(filter)}
        trail={trail}
        known={{ names, reasons }}
        filter={filter}
        choices={auditChoices}
        saved={saved}
      />
    </>
  );
}

export default screen("app/(console)/audit/page", AuditPage);
