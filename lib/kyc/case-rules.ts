import { and, desc, eq } from "drizzle-orm";
import { z } from "zod";
import { KYC_DECISIONS, KYC_PROCESSES, KYC_TYPES, type KycType, REASON_MAX_LENGTH } from "@/lib/contract/kyc";
import { Required } from "@/lib/contract/shared";
import type { Db, Tx } from "@/lib/store/store";
import { kycCaseRules } from "./schema";

const HOURS_MAX = 24 * 90;
const Hours = z.int().min(1).max(HOURS_MAX);
/** What rules name a reason or an item by; it never changes its meaning. */
export const Code = z
  .string()
  .max(60)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
/** null: any. */
const Process = z.enum(KYC_PROCESSES).nullable().default(null);
const Item = z.object({ code: Code, text: Required.max(200), process: Process });
type Item = z.output<typeof Item>;

/** What a decision may give as its reason; `text` is what the provider is told. A retired one is offered no more. */
const Reason = z.object({
  code: Code,
  decision: z.enum(KYC_DECISIONS),
  text: Required.max(REASON_MAX_LENGTH),
  isRetired: z.boolean().default(false),
  process: Process,
  kycType: z.enum(KYC_TYPES).nullable().default(null),
});
export type Reason = z.output<typeof Reason>;

/** By what rules a tenant's people work cases. */
export const CaseRules = z.object({
  /** How long people have, from when a case waits for them. */
  slaHours: z.object({ PF: Hours, PJ: Hours }),
  /** From how many hours before its end a case is shown as due. */
  dueSoonHours: Hours,
  reasons: z.array(Reason).min(2).max(60),
  /** What the reviewer confirms before deciding. */
  checklist: z.object({ PF: z.array(Item).max(20), PJ: z.array(Item).max(20) }),
  /** Words that tip a client off, and are stopped before they leave. */
  stoppedWords: z.array(Required.max(60)).max(200),
});
export type CaseRules = z.output<typeof CaseRules>;
/** As some release put them in force. */
export type StoredRules = z.input<typeof CaseRules>;

const [BACKGROUND_CHECK, DOCUMENT_SCOPY] = KYC_PROCESSES;

type Standard = Pick<Reason, "code" | "decision" | "text"> & Partial<Pick<Reason, "process" | "kycType">>;

/** In the provider's language. A background check has no document and no selfie: nothing is said of them there. */
const STANDARD_REASONS: readonly Standard[] = [
  {
    code: "identity-confirmed",
    decision: "APPROVED",
    text: "Documentos conferidos e identidade confirmada.",
    process: DOCUMENT_SCOPY,
  },
  { code: "data-matches", decision: "APPROVED", text: "Dados cadastrais conferem com as fontes consultadas." },
  {
    code: "document-illegible",
    decision: "REPROVED",
    text: "Documento ilegível ou incompleto.",
    process: DOCUMENT_SCOPY,
  },
  {
    code: "document-expired",
    decision: "REPROVED",
    text: "Documento fora do prazo de validade.",
    process: DOCUMENT_SCOPY,
  },
  {
    code: "face-mismatch",
    decision: "REPROVED",
    text: "Selfie não confere com o documento apresentado.",
    process: DOCUMENT_SCOPY,
  },
  {
    code: "data-mismatch",
    decision: "REPROVED",
    text: "Dados cadastrais divergentes dos documentos.",
    process: DOCUMENT_SCOPY,
  },
  {
    code: "sources-mismatch",
    decision: "REPROVED",
    text: "Dados cadastrais divergentes das fontes consultadas.",
    process: BACKGROUND_CHECK,
  },
  {
    code: "powers-unproven",
    decision: "REPROVED",
    text: "Poderes de representação não comprovados.",
    kycType: "PJ",
  },
  { code: "requirements-unmet", decision: "REPROVED", text: "Requisitos cadastrais não atendidos." },
  {
    code: "no-answer",
    decision: "REPROVED",
    text: "Titular não enviou os documentos no prazo.",
    process: DOCUMENT_SCOPY,
  },
];

const ANY_CASE = { isRetired: false, process: null, kycType: null };

/** What holds as long as nobody chose. */
export const STANDARD_RULES: CaseRules = {
  slaHours: { PF: 24, PJ: 48 },
  dueSoonHours: 8,
  reasons: STANDARD_REASONS.map((reason) => ({ ...ANY_CASE, ...reason })),
  checklist: {
    PF: [
      { code: "document-valid", text: "Documento legível e dentro da validade", process: DOCUMENT_SCOPY },
      { code: "face-match", text: "Selfie confere com o documento", process: DOCUMENT_SCOPY },
      { code: "data-match", text: "Nome, nascimento e filiação conferem", process: null },
      { code: "lists-checked", text: "Listas restritivas e PEP consultadas", process: null },
    ],
    PJ: [
      { code: "contract-valid", text: "Contrato social vigente e completo", process: DOCUMENT_SCOPY },
      {
        code: "members-documents-valid",
        text: "Documentos e selfies dos sócios conferidos",
        process: DOCUMENT_SCOPY,
      },
      {
        code: "registration-active",
        text: "CNPJ ativo e razão social confere",
        process: null,
      },
      { code: "powers-checked", text: "Poderes do sócio administrador conferidos", process: null },
      { code: "members-checked", text: "Sócios identificados até a pessoa natural", process: null },
      { code: "lists-checked", text: "Listas restritivas e PEP consultadas", process: null },
    ],
  },
  stoppedWords: [
    "COAF",
    "PLD",
    "PLD/FT",
    "lavagem",
    "suspeita",
    "suspeito",
    "suspeitas",
    "suspeitos",
    "terrorismo",
    "financiamento ao terrorismo",
    "operação atípica",
    "comunicação de operação",
    "investigação",
    "denúncia",
  ],
};

const STANDARD_ITEMS = [...STANDARD_RULES.checklist.PF, ...STANDARD_RULES.checklist.PJ];
const processOf = (code: string) => STANDARD_ITEMS.find((item) => item.code === code)?.process ?? null;

/** What an earlier release put in force names no process: an item of ours is about the one that it needs, by its code. */
export function readRules({ reasons, checklist, ...others }: StoredRules): CaseRules {
  const items = (stored: StoredRules["checklist"]["PF"]) =>
    stored.map(({ code, text, process = processOf(code) }) => ({ code, text, process }));
  return {
    ...others,
    reasons: reasons.map(({ isRetired = false, process = null, kycType = null, ...reason }) => ({
      ...reason,
      isRetired,
      process,
      kycType,
    })),
    checklist: { PF: items(checklist.PF), PJ: items(checklist.PJ) },
  };
}

export type RulesInForce = { version: number; rules: CaseRules };

/** The rules that hold now at the tenant; version 0 are the standard ones. */
export async function caseRulesOf(store: Db | Tx, tenant: string): Promise<RulesInForce> {
  const { version, rules } = kycCaseRules;
  const [latest] = await store
    .select({ version, rules })
    .from(kycCaseRules)
    .where(eq(kycCaseRules.tenant, tenant))
    .orderBy(desc(version))
    .limit(1);
  return latest === undefined ? { version: 0, rules: STANDARD_RULES } : { ...latest, rules: readRules(latest.rules) };
}

/** The rules that this version put in force; null when there is no such version. */
export async function caseRulesAt(store: Db | Tx, tenant: string, version: number): Promise<CaseRules | null> {
  if (version === 0) return STANDARD_RULES;
  const [row] = await store
    .select({ rules: kycCaseRules.rules })
    .from(kycCaseRules)
    .where(and(eq(kycCaseRules.tenant, tenant), eq(kycCaseRules.version, version)));
  return row === undefined ? null : readRules(row.rules);
}

/** What a case is, as far as rules tell cases apart. */
type CaseKind = { kycType: string; process: string };

/** A kind the interface does not know has a person's. */
const typeOf = ({ kycType }: Pick<CaseKind, "kycType">) => (kycType === "PJ" ? "PJ" : "PF");
const isAbout = (process: string | null, kind: CaseKind) => process === null || process === kind.process;

/** What the reviewer of such a case confirms. */
export const checklistOf = ({ checklist }: Pick<CaseRules, "checklist">, kind: CaseKind): Item[] =>
  checklist[typeOf(kind)].filter(({ process }) => isAbout(process, kind));

/** The reasons that may be given in such a case now. */
export const reasonsOf = <Given extends Pick<Reason, "isRetired" | "process" | "kycType">>(
  reasons: readonly Given[],
  kind: CaseKind,
): Given[] =>
  reasons.filter(
    ({ isRetired, process, kycType }) =>
      !isRetired && isAbout(process, kind) && (kycType === null || kycType === typeOf(kind)),
  );

/** Until when people have who must look at a case of this kind since then. */
export function dueAt({ slaHours }: CaseRules, kycType: KycType, waitingSince: Date): Date {
  return new Date(waitingSince.getTime() + slaHours[typeOf({ kycType })] * 3_600_000);
}
