import type { CaseRules, Item, Reason } from "@/lib/db/enums/case-rules";

type Standard = Pick<Reason, "code" | "decision" | "text"> & Partial<Pick<Reason, "process" | "kycType">>;

/** In the provider's language, in which they are sent; readers get a translation by code from `standardRules`. */
const STANDARD_REASONS = [
  {
    code: "identity-confirmed",
    decision: "APPROVED",
    text: "Documentos conferidos e identidade confirmada.",
    process: "kyc-documentscopy",
  },
  { code: "data-matches", decision: "APPROVED", text: "Dados cadastrais conferem com as fontes consultadas." },
  {
    code: "document-illegible",
    decision: "REPROVED",
    text: "Documento ilegível ou incompleto.",
    process: "kyc-documentscopy",
  },
  {
    code: "document-expired",
    decision: "REPROVED",
    text: "Documento fora do prazo de validade.",
    process: "kyc-documentscopy",
  },
  {
    code: "face-mismatch",
    decision: "REPROVED",
    text: "Selfie não confere com o documento apresentado.",
    process: "kyc-documentscopy",
  },
  {
    code: "data-mismatch",
    decision: "REPROVED",
    text: "Dados cadastrais divergentes dos documentos.",
    process: "kyc-documentscopy",
  },
  {
    code: "sources-mismatch",
    decision: "REPROVED",
    text: "Dados cadastrais divergentes das fontes consultadas.",
    process: "kyc-backgroundcheck",
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
    process: "kyc-documentscopy",
  },
] as const satisfies readonly Standard[];

const STANDARD_CHECKLIST = {
  PF: [
    { code: "document-valid", text: "Documento legível e dentro da validade", process: "kyc-documentscopy" },
    { code: "face-match", text: "Selfie confere com o documento", process: "kyc-documentscopy" },
    { code: "data-match", text: "Nome, nascimento e filiação conferem", process: null },
    { code: "lists-checked", text: "Listas restritivas e PEP consultadas", process: null },
  ],
  PJ: [
    { code: "contract-valid", text: "Contrato social vigente e completo", process: "kyc-documentscopy" },
    {
      code: "members-documents-valid",
      text: "Documentos e selfies dos sócios conferidos",
      process: "kyc-documentscopy",
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
} as const satisfies Record<string, readonly Item[]>;

const ANY_CASE = { isRetired: false, process: null, kycType: null };

export const STANDARD_RULES: CaseRules = {
  slaHours: { PF: 24, PJ: 48 },
  dueSoonHours: 8,
  openCasesMax: null,
  reasons: STANDARD_REASONS.map((reason) => ({ ...ANY_CASE, ...reason })),
  checklist: { PF: [...STANDARD_CHECKLIST.PF], PJ: [...STANDARD_CHECKLIST.PJ] },
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

const STANDARD_ITEMS = [...STANDARD_REASONS, ...STANDARD_CHECKLIST.PF, ...STANDARD_CHECKLIST.PJ];

/** Null for the company's own texts. */
export const standardCodeOf = (item: Pick<Item, "code" | "text">) =>
  STANDARD_ITEMS.find(({ code, text }) => code === item.code && text === item.text)?.code ?? null;
