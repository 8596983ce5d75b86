import { z } from "zod";
import { OUTCOMES } from "./view";
import { PERIODS, settlePeriod } from "@/lib/text/period";
import { FilterMinute, lenient, SearchId } from "@/lib/text/filter";
import { AUDIT_CODES } from "@/lib/audit/codes";

const Row = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);

export const AuditFilter = z
  .object({
    code: lenient(z.enum(AUDIT_CODES)),
    outcome: lenient(z.enum(OUTCOMES)),
    actor: lenient(SearchId),
    /** An intent id, an object (`kyc:<kycUUID>`), or its id alone. */
    search: lenient(SearchId),
    period: lenient(z.enum(PERIODS)),
    from: lenient(FilterMinute),
    to: lenient(FilterMinute),
    before: lenient(Row),
    after: lenient(Row),
  })
  .transform((filter) => settlePeriod(filter, filter.period));
export type AuditFilter = z.output<typeof AuditFilter>;

export const ExportFormat = z.enum(["csv", "json"]).catch("csv");
export type ExportFormat = z.output<typeof ExportFormat>;
