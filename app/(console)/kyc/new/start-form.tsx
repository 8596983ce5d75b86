"use client";

import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { useEffect, useId, useRef } from "react";
import { SentNotice } from "@/app/(console)/write-checks/unconfirmed-order";
import { AbbreviationNotice } from "@/components/form/abbreviation-notice";
import { MinorNotice } from "@/components/form/minor-notice";
import { DateField } from "@/components/form/date-field";
import { DraftGate } from "@/components/form/unfinished-drafts";
import { saveStartDraft } from "@/lib/kyc/actions";
import { DraftNotice, DraftStatus, type Fields, type FormDraft } from "@/components/form/draft-saver";
import { FormSection } from "@/components/form/fields";
import { ReviewedForm } from "@/components/form/reviewed-form";
import { FailureNotice } from "@/components/layout/failure-text";
import { focusNamed, focusWrong, WrongFields } from "@/components/form/wrong-fields";
import { Button } from "@/components/ui/button";
import { ChoiceField, RadioTile } from "@/components/ui/choice-field";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import type { StartFormState } from "@/lib/kyc/queries";
import { MEMBER_TYPES, MEMBERS_MAX, START_MODELS, type StartType } from "@/lib/kyc/view";
import { civilDaysAgo } from "@/lib/text/time";
import { isLetteredCnpj, typedDocument } from "@/lib/text/typed-document";
import { ReviewStep } from "./review-step";
import { ownerAt, partnersOf, type Start, useStart, withoutPartner, withPartner } from "./use-start";

function CheckFields({ fields }: { fields: Fields }) {
  const t = useTranslations("kycStart");
  const id = useId();
  const error = fields.error("backgroundcheckModel") === undefined ? undefined : t("modelFirst");
  return (
    <FormSection title={t("checkTitle")} lead={t("checkLead")}>
      <ChoiceField legend={t("model")} error={error}>
        <div className="grid gap-2 medium:grid-cols-3">
          {START_MODELS.map((model) => (
            <RadioTile
              key={model}
              name="backgroundcheckModel"
              value={model}
              isChosen={fields.value("backgroundcheckModel") === model}
              onChoose={() => fields.set("backgroundcheckModel", model)}
              says={{ name: t(`models.${model}.name`), more: `${id}-${model}` }}
              className="px-3 py-2.5"
            >
              <span className="flex flex-wrap items-baseline justify-between gap-x-2">
                <span className="font-medium">{t(`models.${model}.name`)}</span>
                <span className="min-w-0 text-sm wrap-anywhere text-muted">{model}</span>
              </span>
              <span id={`${id}-${model}`} className="mt-0.5 block text-sm text-muted">
                {t(`models.${model}.what`)}
              </span>
            </RadioTile>
          ))}
        </div>
      </ChoiceField>
      <div className="grid grid-cols-[auto_1fr] gap-x-2.5">
        <input
          id={`${id}-documentscopy`}
          type="checkbox"
          name="documentscopyFlag"
          checked={fields.value("documentscopyFlag") === "true"}
          aria-describedby={`${id}-documentscopy-words`}
          onChange={({ target }) => fields.set("documentscopyFlag", target.checked ? "true" : "")}
          className="mt-1 size-3.5 accent-accent"
        />
        <label htmlFor={`${id}-documentscopy`} className="cursor-pointer font-medium">
          {t("documentscopy")}
        </label>
        <span id={`${id}-documentscopy-words`} className="col-start-2 text-sm text-muted">
          {t("documentscopyWords")}
        </span>
      </div>
    </FormSection>
  );
}

type IndividualFieldsProps = { fields: Fields; prefix?: string };

function IndividualFields({ fields, prefix = "" }: IndividualFieldsProps) {
  const t = useTranslations("kycStart");
  const bind = (part: string) => {
    const name = `${prefix}${part}`;
    return { name, value: fields.value(name), error: fields.error(name), autoComplete: "off", spellCheck: false };
  };
  const set = (part: string) => (value: string) => fields.set(`${prefix}${part}`, value);
  return (
    <>
      <TextField
        {...bind("vatNumber")}
        label={t("cpf")}
        inputMode="numeric"
        className="max-w-60 tabular-nums"
        onChange={({ target }) => set("vatNumber")(target.value)}
        onBlur={({ target }) => set("vatNumber")(typedDocument(target.value))}
      />
      <TextField
        {...bind("name")}
        label={t("name")}
        hint={t("nameHint")}
        onChange={({ target }) => set("name")(target.value)}
      />
      <AbbreviationNotice name={fields.value(`${prefix}name`)} />
      <DateField
        label={t("birthDate")}
        hint={t("dateHint")}
        name={`${prefix}birthDate`}
        value={fields.value(`${prefix}birthDate`)}
        error={fields.error(`${prefix}birthDate`)}
        last={civilDaysAgo(0)}
        onChange={set("birthDate")}
      />
      <MinorNotice birthDate={fields.value(`${prefix}birthDate`)} />
      <TextField
        {...bind("motherName")}
        label={t("motherName")}
        onChange={({ target }) => set("motherName")(target.value)}
      />
    </>
  );
}

type PartnersProps = {
  fields: Fields;
  count: number;
  ownerOf: (index: number) => string;
  onAdd: () => void;
  onRemove: (index: number) => void;
};

function Partners({ fields, count, ownerOf, onAdd, onRemove }: PartnersProps) {
  const t = useTranslations("kycStart");
  const id = useId();
  const error = fields.error("qsa");
  return (
    <FormSection title={t("partnersTitle")} lead={t("partnersLead")}>
      {error ? (
        <p id={`${id}-error`} className="text-sm text-negative">
          {error}
        </p>
      ) : null}
      {Array.from({ length: count }, (_, index) => (
        <fieldset key={index} className="space-y-4 rounded border border-line bg-canvas p-4">
          <legend className="sr-only">{t("partner", { number: index + 1 })}</legend>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p aria-hidden className="font-medium">
              {t("partner", { number: index + 1 })}
            </p>
            {count > 1 ? (
              <Button
                tone="quiet"
                size="small"
                aria-label={t("removePartner", { number: index + 1 })}
                onClick={() => onRemove(index)}
              >
                <Icon of="trash-2" size={13} />
                {t("remove")}
              </Button>
            ) : null}
          </div>
          <div
            role="radiogroup"
            data-invalid={error ? true : undefined}
            aria-label={t("ownerType")}
            className="flex flex-wrap gap-x-5 gap-y-2"
          >
            {MEMBER_TYPES.map((type) => (
              <label key={type} className="flex cursor-pointer items-center gap-2">
                <input
                  type="radio"
                  name={`qsa.${index}.ownerType`}
                  value={type}
                  checked={ownerOf(index) === type}
                  aria-describedby={error ? `${id}-error` : undefined}
                  onChange={() => fields.set(`qsa.${index}.ownerType`, type)}
                  className="size-3.5 accent-accent"
                />
                {t(`ownerTypes.${type}`)}
              </label>
            ))}
          </div>
          <IndividualFields fields={fields} prefix={`qsa.${index}.`} />
        </fieldset>
      ))}
      {count < MEMBERS_MAX ? (
        <Button onClick={onAdd}>
          <Icon of="plus" size={14} />
          {t("addPartner")}
        </Button>
      ) : (
        <p className="text-sm text-muted">{t("partnersFull", { max: MEMBERS_MAX })}</p>
      )}
    </FormSection>
  );
}

function CompanyFields({ fields }: { fields: Fields }) {
  const t = useTranslations("kycStart");
  const typed = fields.value("vatNumber");
  return (
    <>
      <TextField
        label={t("cnpj")}
        name="vatNumber"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        error={fields.error("vatNumber")}
        className="max-w-60 tabular-nums"
        onChange={({ target }) => fields.set("vatNumber", target.value)}
        onBlur={({ target }) => fields.set("vatNumber", typedDocument(target.value))}
      />
      {isLetteredCnpj(typed) ? (
        <Notice tone="warning" live="polite">
          {t("lettered")}
        </Notice>
      ) : null}
      <TextField
        label={t("legalName")}
        hint={t("legalNameHint")}
        name="legalName"
        autoComplete="off"
        spellCheck={false}
        value={fields.value("legalName")}
        error={fields.error("legalName")}
        onChange={({ target }) => fields.set("legalName", target.value)}
      />
    </>
  );
}

type FormStepsProps = { type: StartType; draft: FormDraft; fields: Fields; onPartners: () => void };

function FormSteps({ type, draft, fields, onPartners }: FormStepsProps) {
  const t = useTranslations("kycStart");
  const change = (values: Record<string, string>) => {
    draft.replace(values);
    onPartners();
  };
  if (type === "PF") {
    return (
      <>
        <CheckFields fields={fields} />
        <FormSection title={t("personTitle")} lead={t("personLead")}>
          <IndividualFields fields={fields} />
        </FormSection>
      </>
    );
  }
  return (
    <>
      <CheckFields fields={fields} />
      <FormSection title={t("companyTitle")} lead={t("companyLead")}>
        <CompanyFields fields={fields} />
      </FormSection>
      <Partners
        fields={fields}
        count={partnersOf(draft)}
        ownerOf={(index) => ownerAt(draft, index)}
        onAdd={() => change(withPartner(draft))}
        onRemove={(index) => change(withoutPartner(draft, index))}
      />
    </>
  );
}

function useFieldLabel(type: StartType): (field: string) => string {
  const t = useTranslations("kycStart");
  const labels = new Map([
    ["backgroundcheckModel", t("model")],
    ["name", t("name")],
    ["birthDate", t("birthDate")],
    ["motherName", t("motherName")],
    ["legalName", t("legalName")],
    ["qsa", t("partnersTitle")],
    ["ownerType", t("ownerType")],
  ]);
  return (field) => {
    const [, index] = /^qsa\.(\d+)\./.exec(field) ?? [];
    const document = t(type === "PJ" && index === undefined ? "cnpj" : "cpf");
    const label = labels.get(field.split(".").at(-1) ?? "") ?? document;
    return index === undefined ? label : `${t("partner", { number: Number(index) + 1 })} · ${label}`;
  };
}

const ORDER = [
  "backgroundcheckModel",
  "ownerType",
  "vatNumber",
  "name",
  "birthDate",
  "motherName",
  "legalName",
  "qsa",
] as const;

/** A missing administrator is shown at the first partner. */
const controlOf = (field: string) => (field === "qsa" ? "qsa.0.ownerType" : field);

function Filling({ type, work }: { type: StartType; work: Start }) {
  const t = useTranslations("kycStart");
  const form = useRef<HTMLFormElement>(null);
  const { draft, fields, errors, attempts, isChecking, failure, check, leave, forgetErrors } = work;
  const labelOf = useFieldLabel(type);

  useEffect(() => {
    if (attempts > 0) focusWrong(form.current);
  }, [attempts]);

  const show = (field: string) => focusNamed(form.current, controlOf(field));
  return (
    <ReviewedForm
      ref={form}
      notice={<DraftNotice draft={draft} />}
      status={<DraftStatus draft={draft} onDiscarded={forgetErrors} />}
      summary={
        attempts > 0 ? <WrongFields fields={Object.keys(errors)} order={ORDER} labelOf={labelOf} onShow={show} /> : null
      }
      actions={
        <Button type="submit" tone="primary" isBusy={isChecking}>
          {isChecking ? t("checking") : t("toReview")}
        </Button>
      }
      onSubmit={() => !isChecking && check()}
      onLeave={leave}
    >
      <FormSteps type={type} draft={draft} fields={fields} onPartners={forgetErrors} />
      <FailureNotice failure={failure} className="mt-4" />
    </ReviewedForm>
  );
}

type StartFormProps = { type: StartType; form: StartFormState };

export function StartForm({ type, form }: StartFormProps) {
  const opened = <OpenedForm type={type} form={form} />;
  if (form.isSent) return opened;
  return (
    <DraftGate form={form} save={(order, at) => saveStartDraft({ type, order }, at)}>
      {opened}
    </DraftGate>
  );
}

function OpenedForm({ type, form }: StartFormProps) {
  const work = useStart(type, form);
  const { draft, review, isStarting, failure, correct, start } = work;
  if (form.isSent) return <SentNotice words="kycStart" onAnother={work.beginAnother} />;
  if (review === null) return <Filling type={type} work={work} />;
  return (
    <ReviewStep review={review} draft={draft} pending={isStarting} failure={failure} onBack={correct} onStart={start} />
  );
}
