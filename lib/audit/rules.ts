import { z } from "zod";
import { OUTCOMES } from "./view";
import { FilterMinute } from "@/lib/text/filter-minute";
import { AUDIT_CODES } from "./codes";

/** Never what could be a document, which must not stand in an address. */
const Sought = z
  .string()
  .trim()
  .regex(/^(?=.*[A-Za-z])[\w.:-]{1,120}$/);

const Row = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);

const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

export const AuditFilter = z.object({
  code: lenient(z.enum(AUDIT_CODES)),
  outcome: lenient(z.enum(OUTCOMES)),
  actor: lenient(Sought),
  /** An intent id, an object (`kyc:<kycUUID>`), or its id alone. */
  sought: lenient(Sought),
  from: lenient(FilterMinute),
  to: lenient(FilterMinute),
  before: lenient(Row),
  after: lenient(Row),
});
export type AuditFilter = z.output<typeof AuditFilter>;

export const ExportFormat = z.enum(["csv", "json"]).catch("csv");
export type ExportFormat = z.output<typeof ExportFormat>;
