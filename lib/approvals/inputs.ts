import { APPROVAL_KIND_NAMES, POLICY_RULES, termsOf } from "@/lib/permission/writes";
import { z } from "zod";
import { PAGE_SIZE } from "@/lib/text/page";
import { APPROVAL_SORTS, APPROVAL_VIEWS, DAY_COUNT_MAX, EXPIRY_HOURS_MAX, hasPolicy, TEXT_MAX_LENGTH } from "./view";
import { BrlAmount, Required } from "@/lib/contract/shared";
import { FilterDay, lenient } from "@/lib/text/filter";
import { PERIODS, settlePeriod } from "@/lib/text/period";
import { readReais } from "@/lib/text/typed-amount";

/** Inbox filter from the URL; invalid values become the default. */
export const ApprovalFilter = z
  .object({
    view: z.enum(APPROVAL_VIEWS).optional().catch(undefined),
    kind: lenient(z.enum(APPROVAL_KIND_NAMES)),
    period: lenient(z.enum(PERIODS)),
    /** When it was requested: days of São Paulo, both included. */
    from: lenient(FilterDay),
    to: lenient(FilterDay),
    page: z.coerce.number().int().min(1).catch(1),
    sort: z.enum(APPROVAL_SORTS).optional().catch(undefined),
    order: z.enum(["asc", "desc"]).optional().catch(undefined),
  })
  .transform((filter) => settlePeriod(filter, filter.period));
export type ApprovalFilter = z.output<typeof ApprovalFilter>;

const Words = Required.max(TEXT_MAX_LENGTH);

export const Authorising = z.strictObject({ approvalId: z.uuid() });
export const Refusing = z.strictObject({ approvalId: z.uuid(), reason: Words });
export const RefusingMany = z.strictObject({ approvalIds: z.array(z.uuid()).min(1).max(PAGE_SIZE), reason: Words });
export type RefusingMany = z.output<typeof RefusingMany>;
export const Seeing = z.strictObject({ approvalIds: z.array(z.uuid()).min(1).max(PAGE_SIZE) });
export const Withdrawing = z.strictObject({ approvalId: z.uuid() });
export const Commenting = z.strictObject({ approvalId: z.uuid(), commentId: z.uuid(), text: Words });

const Reais = z
  .string()
  .transform((written) => readReais(written) ?? written)
  .pipe(BrlAmount.out);

const DayCount = z
  .union([z.literal("").transform(() => null), z.coerce.number().int().min(1).max(DAY_COUNT_MAX)])
  .nullable()
  .default(null);
const DaySum = Reais.nullable().default(null);

export const PolicyChange = z
  .strictObject({
    kind: z.enum(APPROVAL_KIND_NAMES),
    version: z.int().min(0),
    rule: z.enum(POLICY_RULES),
    amount: Reais.nullable(),
    personSum: DaySum,
    personCount: DayCount,
    payeeSum: DaySum,
    payeeCount: DayCount,
    tenantSum: DaySum,
    firstSum: DaySum,
    expiresAfterHours: z.coerce.number().int().min(1).max(EXPIRY_HOURS_MAX),
    intentId: z.uuid(),
  })
  .refine(({ kind }) => hasPolicy(kind), { path: ["kind"], params: { code: "required" } })
  .refine(({ kind, rule }) => termsOf(kind).rules.includes(rule), { path: ["rule"], params: { code: "required" } })
  .refine(({ rule, amount }) => rule !== "above" || amount !== null, {
    path: ["amount"],
    params: { code: "required" },
  });
export type PolicyChange = z.output<typeof PolicyChange>;
