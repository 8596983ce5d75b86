import { exportTrail } from "@/lib/audit-trail/queries";
import { AuditFilter, ExportFormat } from "@/lib/audit-trail/inputs";
import { download } from "@/lib/query";
import { readNames } from "@/lib/search/queries";

export const GET = download((search) => {
  const asked = Object.fromEntries(search);
  return exportTrail.answer(AuditFilter.parse(asked), ExportFormat.parse(asked["format"]), readNames);
});
