import type { HeldDraft } from "@/components/use-draft";
import type { StartType } from "@/lib/kyc-start";

const INDIVIDUAL = ["vatNumber", "name", "birthDate", "motherName"] as const;
const PARTNER = ["ownerType", ...INDIVIDUAL] as const;

const COUNT = "partners";
const DEFAULT_OWNER = ["SOCIO_ADMINISTRADOR", "SOCIO", "SOCIO"] as const;

type Values = Pick<HeldDraft, "value">;

export const partnersOf = ({ value }: Values): number => Math.min(3, Math.max(1, Number(value(COUNT)) || 1));

/** Which kind of partner it is, before anybody said. */
export const ownerOf = ({ value }: Values, place: number): string =>
  value(`qsa.${place}.ownerType`) || (DEFAULT_OWNER[place] ?? "SOCIO");

const individualOf = ({ value }: Values, prefix = "") => ({
  vatNumber: value(`${prefix}vatNumber`),
  name: value(`${prefix}name`),
  birthDate: value(`${prefix}birthDate`),
  motherName: value(`${prefix}motherName`),
});

const checkOf = ({ value }: Values) => ({
  backgroundcheckModel: value("backgroundcheckModel"),
  documentscopyFlag: value("documentscopyFlag") === "true",
});

/** The form as it is sent, with everything as it was typed. */
export function typedForm(type: StartType, draft: Values) {
  if (type === "PF") return { type: "PF" as const, ...checkOf(draft), ...individualOf(draft) };
  return {
    type: "PJ" as const,
    ...checkOf(draft),
    vatNumber: draft.value("vatNumber"),
    legalName: draft.value("legalName"),
    qsa: Array.from({ length: partnersOf(draft) }, (_, place) => ({
      ownerType: ownerOf(draft, place),
      ...individualOf(draft, `qsa.${place}.`),
    })),
  };
}

/** With one partner more. */
export const withPartner = (draft: HeldDraft): Record<string, string> => ({
  ...draft.values,
  [COUNT]: String(partnersOf(draft) + 1),
});

/** Without that partner; those behind move up. */
export function withoutPartner(draft: HeldDraft, gone: number): Record<string, string> {
  const left = Array.from({ length: partnersOf(draft) }, (_, place) => place).filter((place) => place !== gone);
  const others = Object.entries(draft.values).filter(([name]) => !name.startsWith("qsa."));
  const moved = left.flatMap((from, to) =>
    PARTNER.map((part) => [
      `qsa.${to}.${part}`,
      part === "ownerType" ? ownerOf(draft, from) : draft.value(`qsa.${from}.${part}`),
    ]),
  );
  return { ...Object.fromEntries([...others, ...moved]), [COUNT]: String(left.length) };
}
