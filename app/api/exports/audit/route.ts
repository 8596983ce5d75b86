import { exportTrail } from "@/lib/audit/queries";
import { AuditFilter, ExportFormat } from "@/lib/audit/rules";
import { download } from "@/lib/query";

export const GET = download((search) => {
  const asked = Object.fromEntries(search);
  return exportTrail.answer(AuditFilter.parse(asked), ExportFormat.parse(asked["format"]));
});
