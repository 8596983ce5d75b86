import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { buttonClass } from "@/components/ui/button";
import type { AuditFilter } from "@/lib/audit/rules";
import { hrefWith } from "@/lib/href";

type ExportLinksProps = { filter: AuditFilter; desk: string };

/** All that the filter lets through, as a file. */
export function ExportLinks({ filter, desk }: ExportLinksProps) {
  const t = useTranslations("audit");
  const wanted = { ...filter, before: undefined, after: undefined, desk };
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
          <Download aria-hidden size={14} />
          {format.toUpperCase()}
        </a>
      ))}
    </div>
  );
}
