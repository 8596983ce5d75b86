import { and, desc, eq } from "drizzle-orm";
import { z } from "zod";
import { KYC_DECISIONS, type KycType, REASON_MAX_LENGTH } from "@/lib/contract/kyc";
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
const Item = z.object({ code: Code, text: Required.max(200) });

/** What a decision may give as its reason; `text` is what the provider is told. A retired one is offered no more. */
const Reason = z.object({
  code: Code,
  decision: z.enum(KYC_DECISIONS),
  text: Required.max(REASON_MAX_LENGTH),
  isRetired: z.boolean().default(false),
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

/** In the provider's language. */
const STANDARD_REASONS: readonly Omit<Reason, "isRetired">[] = [
  { code: "identity-confirmed", decision: "APPROVED", text: "Documentos conferidos e identidade confirmada." },
  { code: "data-matches", decision: "APPROVED", text: "Dados cadastrais conferem com as fontes consultadas." },
  { code: "document-illegible", decision: "REPROVED", text: "Documento ilegível ou incompleto." },
  { code: "document-expired", decision: "REPROVED", text: "Documento fora do prazo de validade." },
  { code: "face-mismatch", decision: "REPROVED", text: "Selfie não confere com o documento apresentado." },
  { code: "data-mismatch", decision: "REPROVED", text: "Dados cadastrais divergentes dos documentos." },
  { code: "requirements-unmet", decision: "REPROVED", text: "Requisitos cadastrais não atendidos." },
  { code: "no-answer", decision: "REPROVED", text: "Titular não enviou os documentos no prazo." },
];

/** What holds as long as nobody chose. */
export const STANDARD_RULES: CaseRules = {
  slaHours: { PF: 24, PJ: 48 },
  dueSoonHours: 8,
  reasons: STANDARD_REASONS.map((reason) => ({ ...reason, isRetired: false })),
  checklist: {
    PF: [
      { code: "document-valid", text: "Documento legível e dentro da validade" },
      { code: "face-match", text: "Selfie confere com o documento" },
      { code: "data-match", text: "Nome, nascimento e filiação conferem" },
      { code: "lists-checked", text: "Listas restritivas e PEP consultadas" },
    ],
    PJ: [
      { code: "contract-valid", text: "Contrato social vigente e completo" },
      { code: "powers-checked", text: "Poderes do sócio administrador conferidos" },
      { code: "members-checked", text: "Sócios identificados até a pessoa natural" },
      { code: "lists-checked", text: "Listas restritivas e PEP consultadas" },
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
  return latest ?? { version: 0, rules: STANDARD_RULES };
}

/** The rules that this version put in force; null when there is no such version. */
export async function caseRulesAt(store: Db | Tx, tenant: string, version: number): Promise<CaseRules | null> {
  if (version === 0) return STANDARD_RULES;
  const [row] = await store
    .select({ rules: kycCaseRules.rules })
    .from(kycCaseRules)
    .where(and(eq(kycCaseRules.tenant, tenant), eq(kycCaseRules.version, version)));
  return row?.rules ?? null;
}

/** What the reviewer of a case of this kind confirms. A kind the interface does not know has a person's. */
export const checklistOf = ({ checklist }: CaseRules, kycType: KycType) =>
  kycType === "PJ" ? checklist.PJ : checklist.PF;

/** Until when people have who must look at a case of this kind since then. A kind the interface does not know has a person's. */
export function dueAt({ slaHours }: CaseRules, kycType: KycType, waitingSince: Date): Date {
  const hours = kycType === "PJ" ? slaHours.PJ : slaHours.PF;
  return new Date(waitingSince.getTime() + hours * 3_600_000);
}
