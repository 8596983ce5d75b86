import { z } from "zod";
import { OUTCOMES } from "./view";
import { FilterMinute, lenient, SoughtId } from "@/lib/text/filter";
import { AUDIT_CODES } from "@/lib/audit/codes";

const Row = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);

export const AuditFilter = z.object({
  code: lenient(z.enum(AUDIT_CODES)),
  outcome: lenient(z.enum(OUTCOMES)),
  actor: lenient(SoughtId),
  /** An intent id, an object (`kyc:<kycUUID>`), or its id alone. */
  sought: lenient(SoughtId),
  from: lenient(FilterMinute),
  to: lenient(FilterMinute),
  before: lenient(Row),
  after: lenient(Row),
});
export type AuditFilter = z.output<typeof AuditFilter>;

export const ExportFormat = z.enum(["csv", "json"]).catch("csv");
export type ExportFormat = z.output<typeof ExportFormat>;
