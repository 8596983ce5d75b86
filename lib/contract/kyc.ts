import { LosslessNumber } from "lossless-json";
import { z } from "zod";
import { stringifyJson } from "@/lib/contract/json";
import { Cnpj, Cpf } from "@/lib/contract/document-schema";
import {
  AnswerText,
  BodyDate,
  Flag,
  Identifier,
  known,
  NullishText,
  Required,
  statusEnvelope,
  TextOrEmpty,
} from "@/lib/contract/shared";

export const KYC_STATUSES = ["APPROVED", "REPROVED", "PROCESSING", "PENDING"] as const;
export const KYC_PROCESSES = ["kyc-backgroundcheck", "kyc-documentscopy"] as const;
export const KYC_TYPES = ["PF", "PJ"] as const;
export const KYC_MODELS = ["BASIC", "MEDIUM", "COMPLETE"] as const;
export const KYC_DECISIONS = ["APPROVED", "REPROVED"] as const;
export const OWNER_TYPES = ["SOCIO_ADMINISTRADOR", "SOCIO"] as const;
export const REASON_MAX_LENGTH = 500;

export const KycStatus = known(KYC_STATUSES);
export type KycStatus = z.infer<typeof KycStatus>;
export const KycProcessName = known(KYC_PROCESSES);
export type KycProcessName = z.infer<typeof KycProcessName>;
export const KycType = known(KYC_TYPES);
export type KycType = z.infer<typeof KycType>;

const check = { backgroundcheckModel: z.enum(KYC_MODELS), documentscopyFlag: z.boolean().default(false) };
const individual = { vatNumber: Cpf, name: Required, birthDate: BodyDate, motherName: Required };

/** Body of POST /v1/kyc/person. */
export const PersonKyc = z.looseObject({ ...check, ...individual });
export type PersonKyc = z.infer<typeof PersonKyc>;

export const QsaMember = z.looseObject({ ownerType: z.enum(OWNER_TYPES), ...individual });
export type QsaMember = z.infer<typeof QsaMember>;

/** Body of POST /v1/kyc/company: 1 to 3 members, one of them SOCIO_ADMINISTRADOR. */
export const CompanyKyc = z.looseObject({
  ...check,
  vatNumber: Cnpj,
  legalName: Required,
  qsa: z
    .array(QsaMember)
    .min(1)
    .max(3)
    .refine((members) => members.some((member) => member.ownerType === "SOCIO_ADMINISTRADOR"), {
      error: "needs at least one member with ownerType SOCIO_ADMINISTRADOR",
      params: { code: "qsa" },
    }),
});
export type CompanyKyc = z.infer<typeof CompanyKyc>;

/** Answer of both initiations, 200. `webviewUrl` stands in the PF answer only and may be null. */
export const KycStarted = statusEnvelope(
  z.looseObject({
    kycUUID: Identifier,
    status: KycStatus,
    kycType: KycType,
    model: known(KYC_MODELS),
    documentscopy: Flag,
    webviewUrl: NullishText,
  }),
);
export type KycStarted = z.infer<typeof KycStarted>;

/** A list or an object in place of a word is kept as an unknown word. */
const wordOf = <Word extends z.ZodType>(word: Word) =>
  z.preprocess(
    (wire) =>
      typeof wire === "object" && wire !== null && !(wire instanceof LosslessNumber) ? stringifyJson(wire) : wire,
    word,
  );

/**
 * One record of GET /v1/kyc/list. `vatNumber` is masked by the provider. `webviewUrl` and `webviewUrls` are our
 * assumption of where the document-scopy link appears later; a provider may send neither. Any field except the id may
 * have any shape: dropping the record would let the case's other records decide its state.
 */
export const KycRecord = z.looseObject({
  kycUUID: Identifier,
  vatNumber: TextOrEmpty.catch(""),
  process: wordOf(KycProcessName),
  status: wordOf(KycStatus),
  kycType: wordOf(KycType),
  webviewUrl: NullishText.catch(null),
  webviewUrls: z
    .array(z.looseObject({ vatNumber: TextOrEmpty, url: AnswerText }))
    .nullish()
    .catch(null),
});
export type KycRecord = z.infer<typeof KycRecord>;

/** Records a page; 0 when the provider does not say. */
const PageLimit = z.preprocess((wire) => Number(wire ?? 0) || 0, z.number());

const PageNumber = z.preprocess((wire) => Math.trunc(Number(wire ?? 1)) || 0, z.number()).meta({ type: "number" });

/** Answer of GET /v1/kyc/list, 200. */
export const KycList = z.looseObject({ page: PageNumber, limit: PageLimit, result: z.array(KycRecord) });
export type KycList = z.infer<typeof KycList>;

const Total = z.number().int().nonnegative().optional().catch(undefined);
const Totals = z.object({
  totalPages: Total,
  total_pages: Total,
  pageCount: Total,
  pages: Total,
  total: Total,
  totalItems: Total,
  totalElements: Total,
  totalRecords: Total,
  totalCount: Total,
  total_count: Total,
});

/** The minimum totals that an answer states: the interface names none, but a provider may. */
export function totalsOf(list: object): { pages: number; records: number } {
  const totals = Totals.parse(list);
  const { total, totalItems, totalElements, totalRecords, totalCount, total_count } = totals;
  const pages = totals.totalPages ?? totals.total_pages ?? totals.pageCount ?? totals.pages;
  const records = totalItems ?? totalElements ?? totalRecords ?? totalCount ?? total_count ?? total;
  return { pages: pages ?? 0, records: records ?? 0 };
}

/** Query of GET /v1/kyc/list. `page` and `limit` are assumptions: the interface does not show its paging. */
export const KycListQuery = z.looseObject({
  kycUUID: z.string().optional(),
  page: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
export type KycListQuery = z.infer<typeof KycListQuery>;

/** Body of POST /v1/kyc/manual-decision. */
export const ManualDecision = z.looseObject({
  kycUUID: Required,
  decision: z.enum(KYC_DECISIONS),
  reason: Required.max(REASON_MAX_LENGTH, { error: `must have at most ${REASON_MAX_LENGTH} characters` }),
});
export type ManualDecision = z.infer<typeof ManualDecision>;

/** Answer of POST /v1/kyc/manual-decision, 200. */
export const ManualDecisionTaken = statusEnvelope(
  z.looseObject({ kycUUID: TextOrEmpty, decision: known(KYC_DECISIONS) }),
);
export type ManualDecisionTaken = z.infer<typeof ManualDecisionTaken>;
