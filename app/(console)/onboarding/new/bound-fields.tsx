import { useTranslations } from "next-intl";
import type { RefObject } from "react";
import { AbbreviationNotice } from "@/components/form/abbreviation-notice";
import { DateField, MaskedField } from "@/components/form/date-field";
import type { Fields } from "@/components/form/draft-saver";
import { FormSection } from "@/components/form/fields";
import { MinorNotice } from "@/components/form/minor-notice";
import { FieldFrame, TextField, useEarlyChoice, useField } from "@/components/ui/field";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import { Notice } from "@/components/ui/notice";
import { STATES } from "@/lib/onboarding/view";
import { stateOfPostalCode } from "@/lib/text/postal-code";
import { civilDaysAgo } from "@/lib/text/time";
import { typingCpf, typingPhone, typingPostalCode } from "@/lib/text/typed";

type BoundProps = { fields: Fields; name: string; label: string; hint?: string; className?: string };

export function TextLine({
  fields,
  name,
  ...line
}: BoundProps & { type?: "email" | "url"; inputMode?: "decimal"; placeholder?: string }) {
  return (
    <TextField
      {...line}
      name={name}
      autoComplete="off"
      spellCheck={false}
      value={fields.value(name)}
      error={fields.error(name)}
      onChange={({ target }) => fields.set(name, target.value)}
    />
  );
}

export function MaskedLine({
  fields,
  name,
  ...line
}: BoundProps & { mask: (typed: string) => string; inputMode?: "numeric" | "tel" }) {
  return (
    <MaskedField
      {...line}
      name={name}
      value={fields.value(name)}
      error={fields.error(name)}
      onChange={(typed) => fields.set(name, typed)}
    />
  );
}

export function DateLine({ fields, name, label }: Omit<BoundProps, "hint" | "className">) {
  const t = useTranslations("accountForm");
  return (
    <DateField
      label={label}
      hint={t("dateHint")}
      name={name}
      value={fields.value(name)}
      error={fields.error(name)}
      last={civilDaysAgo(0)}
      onChange={(typed) => fields.set(name, typed)}
    />
  );
}

export function PhoneLine({ fields, name }: Pick<BoundProps, "fields" | "name">) {
  const t = useTranslations("accountForm");
  return (
    <MaskedLine
      fields={fields}
      name={name}
      label={t("phone")}
      hint={t("phoneHint")}
      mask={typingPhone}
      inputMode="tel"
      className="max-w-60"
    />
  );
}

type PersonLinesProps = { fields: Fields; at: string; isHolder?: boolean };

export function PersonLines({ fields, at, isHolder = false }: PersonLinesProps) {
  const t = useTranslations("accountForm");
  return (
    <>
      <MaskedLine
        fields={fields}
        name={`${at}documentNumber`}
        label={t("cpf")}
        mask={typingCpf}
        inputMode="numeric"
        className="max-w-60"
      />
      <TextLine fields={fields} name={`${at}fullName`} label={t("fullName")} hint={t("fullNameHint")} />
      <AbbreviationNotice name={fields.value(`${at}fullName`)} />
      <DateLine fields={fields} name={`${at}birthDate`} label={t("birthDate")} />
      {isHolder ? <MinorNotice birthDate={fields.value(`${at}birthDate`)} /> : null}
      <TextLine fields={fields} name={`${at}motherName`} label={t("motherName")} />
    </>
  );
}

function StateField({ fields, name }: { fields: Fields; name: string }) {
  const t = useTranslations("accountForm");
  const error = fields.error(name);
  const field = useField({ hint: undefined, error });
  const state = fields.value(name).toUpperCase();
  const choose = (chosen: string) => fields.set(name, chosen);
  useEarlyChoice(field.id, state, choose);
  return (
    <FieldFrame id={field.id} label={t("state")} error={error}>
      <select
        {...field}
        name={name}
        autoComplete="off"
        value={state}
        onChange={({ target }) => choose(target.value)}
        className={cn(INPUT_CLASS, "h-9")}
      >
        <option value="">{t("chooseState")}</option>
        {STATES.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </FieldFrame>
  );
}

type AddressFieldsProps = {
  fields: Fields;
  at: string;
  /** Only a person's address has coordinates. */
  hasCoordinates?: boolean;
};

/** Fills the state by the postal code while none is chosen. */
function withState(fields: Fields, at: string): Fields {
  const set = (name: string, value: string) => {
    const state = stateOfPostalCode(value);
    fields.set(name, value);
    if (state !== null && fields.value(`${at}state`) === "") fields.set(`${at}state`, state);
  };
  return { ...fields, set };
}

/** Warns without refusing: codes are given anew from time to time. */
export function OtherState({ fields, at }: { fields: Pick<Fields, "value">; at: string }) {
  const t = useTranslations("accountForm");
  const code = fields.value(`${at}postalCode`);
  const chosen = fields.value(`${at}state`).toUpperCase();
  const state = stateOfPostalCode(code);
  if (state === null || chosen === "" || chosen === state) return null;
  return (
    <Notice tone="warning" live="polite">
      {t("otherState", { code, state, chosen })}
    </Notice>
  );
}

export function AddressFields({ fields, at, hasCoordinates = false }: AddressFieldsProps) {
  const t = useTranslations("accountForm");
  const optional = t("optional");
  return (
    <>
      <MaskedLine
        fields={withState(fields, at)}
        name={`${at}postalCode`}
        label={t("postalCode")}
        mask={typingPostalCode}
        inputMode="numeric"
        className="max-w-40"
      />
      <div className="grid gap-4 medium:grid-cols-[minmax(0,1fr)_8rem]">
        <TextLine fields={fields} name={`${at}street`} label={t("street")} />
        <TextLine fields={fields} name={`${at}number`} label={t("number")} />
      </div>
      <div className="grid gap-4 medium:grid-cols-2">
        <TextLine fields={fields} name={`${at}complement`} label={t("complement")} hint={optional} />
        <TextLine fields={fields} name={`${at}neighborhood`} label={t("neighborhood")} />
      </div>
      <div className="grid gap-4 medium:grid-cols-[minmax(0,1fr)_8rem]">
        <TextLine fields={fields} name={`${at}city`} label={t("city")} />
        <StateField fields={fields} name={`${at}state`} />
      </div>
      <OtherState fields={fields} at={at} />
      {hasCoordinates ? <Coordinates fields={fields} at={at} /> : null}
    </>
  );
}

const COORDINATES = ["latitude", "longitude"] as const;

function Coordinates({ fields, at }: AddressFieldsProps) {
  const t = useTranslations("accountForm");
  const isUsed = COORDINATES.some((name) => fields.value(at + name) !== "" || fields.error(at + name) !== undefined);
  return (
    <details open={isUsed}>
      <summary className="w-fit cursor-pointer text-sm text-accent">{t("more")}</summary>
      <div className="grid gap-4 pt-3 medium:grid-cols-2">
        {COORDINATES.map((name) => (
          <TextLine
            key={name}
            fields={fields}
            name={`${at}${name}`}
            label={t(name)}
            hint={`${t("coordinateHint")} (${t("optional")})`}
            inputMode="decimal"
          />
        ))}
      </div>
    </details>
  );
}

const WHO = ["fullName", "birthDate", "motherName", "businessName", "tradingName", "establishmentDate"] as const;
const WHERE = [
  "postalCode",
  "street",
  "number",
  "complement",
  "neighborhood",
  "city",
  "state",
  "latitude",
  "longitude",
] as const;
const LINKS = ["documentLink", "documentBackLink", "selfieLink", "socialContractLink"] as const;
const LABELS = [...WHO, "businessEmail", ...WHERE, ...LINKS] as const;

export const FIELD_ORDER: readonly string[] = [
  "documentNumber",
  ...WHO,
  "isPoliticallyExposedPerson",
  "email",
  "person.email",
  "businessEmail",
  "phoneNumber",
  "contactNumber",
  ...WHERE,
  ...LINKS,
];

export function useFieldLabel(): (name: string) => string {
  const t = useTranslations("accountForm");
  const owned = (name: string): string => {
    const last = name.split(".").at(-1);
    if (last === "documentNumber") return t(name === "legalPerson.documentNumber" ? "cnpj" : "cpf");
    if (last === "phoneNumber" || last === "contactNumber") return t("phone");
    if (last === "email") return t(name === "email" ? "email" : name === "person.email" ? "personEmail" : "ownerEmail");
    if (last === "isPoliticallyExposedPerson") return t("pep");
    const known = LABELS.find((label) => label === last);
    return known === undefined ? name : t(known);
  };
  return (name) => {
    const index = /^legalPerson\.owner\.(\d+)\./.exec(name)?.[1];
    return index === undefined ? owned(name) : `${t("owner", { number: Number(index) + 1 })} · ${owned(name)}`;
  };
}

type PasswordFieldsProps = {
  password: RefObject<HTMLInputElement | null>;
  again: RefObject<HTMLInputElement | null>;
  error: (name: string) => string | undefined;
};

/** The password exists only in these two inputs, and is cleared on sending. */
export function PasswordFields({ password, again, error }: PasswordFieldsProps) {
  const t = useTranslations("accountForm");
  const shared = { type: "password", autoComplete: "new-password", spellCheck: false, className: "max-w-80" } as const;
  return (
    <FormSection title={t("passwordTitle")} lead={t("passwordLead")}>
      <TextField
        {...shared}
        ref={password}
        name="transactionPassword"
        label={t("password")}
        hint={t("passwordHint")}
        error={error("transactionPassword")}
      />
      <TextField
        {...shared}
        ref={again}
        name="passwordAgain"
        label={t("passwordAgain")}
        error={error("passwordAgain")}
      />
    </FormSection>
  );
}
