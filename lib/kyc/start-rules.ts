import { z } from "zod";
import { Cnpj, Cpf } from "@/lib/contract/document";
import { KYC_MODELS, OWNER_TYPES } from "@/lib/contract/kyc";
import { Required } from "@/lib/contract/shared";
import { DraftOrder } from "@/lib/drafts/rules";
import { BirthDate, oneOf, PersonName, typedDocument, TypedText } from "@/lib/form-rules";
import { MEMBERS_MAX, START_TYPES } from "@/lib/kyc-start";

const check = { backgroundcheckModel: oneOf(KYC_MODELS), documentscopyFlag: z.boolean() };
const individual = { vatNumber: typedDocument(Cpf), name: PersonName, birthDate: BirthDate, motherName: PersonName };

const Partner = z.strictObject({ ownerType: oneOf(OWNER_TYPES), ...individual });
type Partner = z.output<typeof Partner>;

const isTyped = (partner: unknown): partner is Record<keyof Partner, unknown> =>
  typeof partner === "object" && partner !== null;

/** Whatever else is wrong with them, so that everything that is wrong is said at once. */
const Partners = z
  .array(Partner)
  .min(1)
  .max(MEMBERS_MAX)
  .superRefine((partners, context) => {
    const first = new Map<string, number>();
    for (const [place, { vatNumber }] of partners.entries()) {
      if (first.has(vatNumber))
        context.addIssue({ code: "custom", path: [place, "vatNumber"], params: { code: "repeated" } });
      first.set(vatNumber, place);
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
  vatNumber: typedDocument(Cnpj),
  legalName: TypedText,
  qsa: Partners,
};

/** A form as it was typed; its fields are named as the interface's are. */
export const StartForm = z.discriminatedUnion("type", [z.strictObject(person), z.strictObject(company)]);
export type StartForm = z.output<typeof StartForm>;

/** `seen` are the likenesses that the person was shown and goes on in spite of. */
const order = { intentId: z.uuid(), seen: z.array(z.string().max(200)).max(100) };

/** A form as it is sent. */
export const StartOrder = z.discriminatedUnion("type", [
  z.strictObject({ ...person, ...order }),
  z.strictObject({ ...company, ...order }),
]);
export type StartOrder = z.output<typeof StartOrder>;

/** Which case came of a start whose answer was lost. */
export const StartSettlement = z.strictObject({ intentId: z.uuid(), kycUUID: Required.max(200) });
export type StartSettlement = z.output<typeof StartSettlement>;

export const StartDrafting = z.strictObject({ type: z.enum(START_TYPES), order: DraftOrder });
export type StartDrafting = z.output<typeof StartDrafting>;
