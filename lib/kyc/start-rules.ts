import { z } from "zod";
import { Cnpj, Cpf, normaliseDocument } from "@/lib/contract/document";
import { KYC_MODELS, OWNER_TYPES } from "@/lib/contract/kyc";
import { BodyDate, Required } from "@/lib/contract/shared";
import { DraftOrder } from "@/lib/drafts/rules";
import { MEMBERS_MAX, START_TYPES } from "@/lib/kyc-start";
import { civilDay } from "@/lib/time";

const NAME_MAX_LENGTH = 200;
/** Nobody is known to have lived longer. */
const AGE_MAX = 122;

const tidy = (text: string) => text.trim().replaceAll(/\s+/g, " ");

const Text = z.string().transform(tidy).pipe(Required.max(NAME_MAX_LENGTH));

/** A person's name: letters, and no digit, which a name pasted from elsewhere may bring along. */
const PersonName = Text.refine((name) => /\p{L}.*\p{L}/u.test(name) && !/\d/.test(name), { params: { code: "name" } });

const typedDate = (typed: string) => typed.replace(/^(\d{2})[/. -]?(\d{2})[/. -]?(\d{4})$/, "$1-$2-$3");

/** `yyyy-MM-dd` of a body's date, or of nothing that is one. */
const sortable = (date: string) => date.split("-").toReversed().join("-");

/** How old whoever was born then is on that civil day, `yyyy-MM-dd`. */
export function ageOn(birthDate: string, today: string): number {
  const born = sortable(birthDate);
  const years = Number(today.slice(0, 4)) - Number(born.slice(0, 4));
  return today.slice(4) < born.slice(4) ? years - 1 : years;
}

/** As people type it, `07/09/1984`, to what the interface wants, `07-09-1984`. */
const BirthDate = Required.transform(typedDate)
  .pipe(BodyDate)
  .refine((date) => sortable(date) <= civilDay(new Date()), { params: { code: "birth-future" } })
  .refine((date) => ageOn(date, civilDay(new Date())) <= AGE_MAX, { params: { code: "birth-long-ago" } });

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) => z.string().pipe(z.enum(values));
const documentBy = (schema: z.ZodType<string, string>) => Required.transform(normaliseDocument).pipe(schema);

const check = { backgroundcheckModel: oneOf(KYC_MODELS), documentscopyFlag: z.boolean() };
const individual = { vatNumber: documentBy(Cpf), name: PersonName, birthDate: BirthDate, motherName: PersonName };

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
const company = { type: z.literal("PJ"), ...check, vatNumber: documentBy(Cnpj), legalName: Text, qsa: Partners };

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

/** Which case came of a start whose answer was lost; null: none did, as far as anybody can see. */
export const StartSettlement = z.strictObject({ intentId: z.uuid(), kycUUID: Required.max(200).nullable() });
export type StartSettlement = z.output<typeof StartSettlement>;

export const StartTypeName = z.enum(START_TYPES).catch("PF");

export const StartDrafting = z.strictObject({ type: z.enum(START_TYPES), order: DraftOrder });
export type StartDrafting = z.output<typeof StartDrafting>;
