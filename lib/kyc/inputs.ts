import { z } from "zod";
import { lenient } from "@/lib/text/filter";
import { documentsWithin, mayHoldDocument } from "@/lib/contract/document";
import { Cnpj, Cpf } from "@/lib/contract/document-schema";
import { SEARCH_MAX } from "@/lib/text/page";
import { isOfDocument, shownOfDocument } from "@/lib/text/typed-document";
import {
  KYC_DECISIONS,
  KYC_MODELS,
  KYC_PROCESSES,
  KYC_TYPES,
  OWNER_TYPES,
  REASON_MAX_LENGTH,
} from "@/lib/contract/kyc";
import { isStorable, Required } from "@/lib/contract/shared";
import { DraftOrder } from "@/lib/drafts/inputs";
import { NOTE_LIMIT } from "@/lib/notes/view";
import { BirthDate, oneOf, PersonName, documentField, TypedText } from "@/lib/text/field-rules";
import { Code } from "@/lib/db/enums/case-rules";
import {
  KYC_AGES,
  KYC_DUES,
  KYC_SORTS,
  KYC_STANDINGS,
  KYC_VIEWS,
  MEMBERS_MAX,
  caseQueueSearch,
  SEARCHABLE,
  trimSearch,
  START_TYPES,
  TAG_MAX,
} from "./view";

const TAG = /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u;

/** Lower case, and no document number in it. */
const Tag = z
  .string()
  .trim()
  .toLowerCase()
  .max(TAG_MAX)
  .refine((text) => TAG.test(text) && shownOfDocument(text) === null && documentsWithin(text).length === 0, {
    error: "must be a tag",
    params: { code: "tag" },
  });

const Tags = z
  .union([z.string().transform((text) => text.split(",")), z.array(z.string())])
  .pipe(z.array(Tag).min(1).max(5));

const Ids = z
  .union([z.string().transform((text) => text.split(",")), z.array(z.string())])
  .pipe(z.array(z.string().min(1).max(200).refine(isStorable)).min(1).max(100));

const CaseSearch = z
  .string()
  .max(SEARCH_MAX)
  .refine(isStorable)
  .transform(trimSearch)
  .refine((text) => SEARCHABLE.test(text) && !isOfDocument(text) && !mayHoldDocument(text));

export const SameDocumentQuery = z.strictObject({ query: Required.max(SEARCH_MAX) });

const Edge = z.string().regex(/^(\d{1,18}|none)?~-?\d{1,15}$/);

/** Queue filter from the URL; invalid values become the default. */
export const KycFilter = z.object({
  view: z.enum(KYC_VIEWS).catch("all"),
  status: z.enum(KYC_STANDINGS).catch("open"),
  type: lenient(z.enum(KYC_TYPES)),
  process: lenient(z.enum(KYC_PROCESSES)),
  assignee: lenient(z.uuid()),
  tags: lenient(Tags),
  due: lenient(z.enum(KYC_DUES)),
  age: lenient(z.enum(KYC_AGES)),
  search: lenient(CaseSearch),
  sameDocumentAs: lenient(z.string().min(1).max(200).refine(isStorable)),
  sameMaskAs: lenient(z.string().min(1).max(200).refine(isStorable)),
  sort: lenient(z.enum(KYC_SORTS)),
  order: lenient(z.enum(["asc", "desc"])),
  after: lenient(Edge),
  before: lenient(Edge),
  ids: lenient(Ids),
});
export type KycFilter = z.output<typeof KycFilter>;

export const CaseDecision = z.object({
  intentId: z.uuid(),
  kycUUID: Required,
  decision: z.enum(KYC_DECISIONS),
  /** Exactly what is sent to the provider. */
  reason: Required.max(REASON_MAX_LENGTH),
  reasonCode: Code,
  /** For the team alone, never sent. */
  note: Required.max(NOTE_LIMIT).nullable().default(null),
  checklist: z.array(Code).max(20),
  rulesVersion: z.int().min(0),
  expected: z.object({ status: z.string(), process: z.string() }),
});
export type CaseDecision = z.output<typeof CaseDecision>;

export const ProposedDecision = CaseDecision.extend({ files: z.array(z.string()).optional() });
export type ProposedDecision = z.output<typeof ProposedDecision>;

/** Strict: a default in place of an invalid value would reach other cases. */
const Search = z
  .string()
  .max(600)
  .transform((search, context) => {
    const filter = KycFilter.parse(Object.fromEntries(new URLSearchParams(search)));
    if (caseQueueSearch(filter) !== search) context.addIssue({ code: "custom", message: "must be a filter" });
    return filter;
  });

export const Selection = z.union([
  z.strictObject({ ids: z.array(Required).min(1).max(100) }),
  z.strictObject({ search: Search }),
]);
export type Selection = z.output<typeof Selection>;
export type SelectionInput = z.input<typeof Selection>;

const Position = z.int();

/** One call covers the cases numbered above `beyond` and up to `upTo`; null: all. */
export const Slice = z.object({ beyond: Position, upTo: Position }).nullable();
export type Slice = z.output<typeof Slice>;

const bulk = { bulkId: z.uuid(), selection: Selection, slice: Slice };

export const AssigningMany = z.object({ ...bulk, to: z.uuid().nullable() });
export type AssigningMany = z.output<typeof AssigningMany>;

export const TaggingMany = z.object({ ...bulk, tag: Tag, isRemoved: z.boolean() });
export type TaggingMany = z.output<typeof TaggingMany>;

const check = { backgroundcheckModel: oneOf(KYC_MODELS), documentscopyFlag: z.boolean() };
const individual = { vatNumber: documentField(Cpf), name: PersonName, birthDate: BirthDate, motherName: PersonName };

const Partner = z.strictObject({ ownerType: oneOf(OWNER_TYPES), ...individual });
type Partner = z.output<typeof Partner>;

const isTyped = (partner: unknown): partner is Record<keyof Partner, unknown> =>
  typeof partner === "object" && partner !== null;

/** Checked even when other fields are wrong, so that every error shows at once. */
const Partners = z
  .array(Partner)
  .min(1)
  .max(MEMBERS_MAX)
  .superRefine((partners, context) => {
    const first = new Map<string, number>();
    for (const [index, { vatNumber }] of partners.entries()) {
      if (first.has(vatNumber))
        context.addIssue({ code: "custom", path: [index, "vatNumber"], params: { code: "repeated" } });
      first.set(vatNumber, index);
    }
  })
  .refine(
    (partners: readonly unknown[]) =>
      partners.some((partner) => isTyped(partner) && partner.ownerType === "SOCIO_ADMINISTRADOR"),
    { params: { code: "qsa" }, when: ({ value }) => Array.isArray(value) && value.length > 0 },
  );

const person = { type: z.literal("PF"), ...check, ...individual };
const company = {
  type: z.literal("PJ"),
  ...check,
  vatNumber: documentField(Cnpj),
  legalName: TypedText,
  qsa: Partners,
};

export const StartForm = z.discriminatedUnion("type", [z.strictObject(person), z.strictObject(company)]);
export type StartForm = z.output<typeof StartForm>;

/** A form that may lack anything yet. */
export const StartChecking = z.looseObject({ type: z.enum(["PF", "PJ"]) });
export type StartChecking = z.output<typeof StartChecking>;

export const documentOfStart = ({ type, vatNumber }: StartChecking): string | null =>
  (type === "PF" ? individual : company).vatNumber.safeParse(vatNumber).data ?? null;

/** `seen`: refs of the possible duplicates that the person chose to ignore. */
const order = { intentId: z.uuid(), seen: z.array(z.string().max(200)).max(100) };

export const PersonStart = z.strictObject({ ...person, ...order });
export const CompanyStart = z.strictObject({ ...company, ...order });
export const StartOrder = z.discriminatedUnion("type", [PersonStart, CompanyStart]);
export type StartOrder = z.output<typeof StartOrder>;

export const StartReconciliation = z.strictObject({ intentId: z.uuid(), kycUUID: Required.max(200) });
export type StartReconciliation = z.output<typeof StartReconciliation>;

export const StartDrafting = z.strictObject({ type: z.enum(START_TYPES), order: DraftOrder });
export type StartDrafting = z.output<typeof StartDrafting>;
