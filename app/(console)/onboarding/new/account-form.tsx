"use client";

import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { SentNotice } from "@/app/(console)/write-checks/unconfirmed-order";
import { DraftNotice, DraftStatus, type Fields, type FormDraft } from "@/components/form/draft-saver";
import { DraftGate } from "@/components/form/unfinished-drafts";
import { FormSection } from "@/components/form/fields";
import { ReviewedForm } from "@/components/form/reviewed-form";
import { FailureNotice } from "@/components/layout/failure-text";
import { focusNamed, focusWrong, WrongFields } from "@/components/form/wrong-fields";
import { deferred } from "@/components/layout/deferred";
import { Button } from "@/components/ui/button";
import { ChoiceField } from "@/components/ui/choice-field";
import { Notice } from "@/components/ui/notice";
import { saveAccountDraft } from "@/lib/onboarding/actions";
import { type EarlierAttempt, OWNERS_MAX, formStepOf } from "@/lib/onboarding/view";
import type { OnboardingKind } from "@/lib/db/enums/onboarding";
import type { AccountFormState } from "@/lib/onboarding/queries";
import { typingCnpj } from "@/lib/text/typed";
import { isLetteredCnpj } from "@/lib/text/typed-document";
import {
  AddressFields,
  DateLine,
  MaskedLine,
  PersonLines,
  PhoneLine,
  TextLine,
  FIELD_ORDER,
  useFieldLabel,
} from "./bound-fields";
import { Progress, useStepName, DocumentsStep } from "./steps";
import { ReviewStep } from "./review-step";
import {
  type AccountWork,
  hasOwnAddress,
  ownerAt,
  ownersOf,
  useAccount,
  withoutOwner,
  withOwner,
  withTaken,
} from "./use-account";

function ContactStep({ kind, fields }: { kind: OnboardingKind; fields: Fields }) {
  const t = useTranslations("accountForm");
  const isPerson = kind === "PF";
  return (
    <>
      <FormSection title={t("contactTitle")} lead={t("contactLead")}>
        <TextLine fields={fields} name="email" label={t("email")} type="email" />
        <TextLine
          fields={fields}
          name={isPerson ? "person.email" : "legalPerson.businessEmail"}
          label={t(isPerson ? "personEmail" : "businessEmail")}
          hint={t("sameEmail")}
          type="email"
        />
        <PhoneLine fields={fields} name={isPerson ? "person.phoneNumber" : "legalPerson.contactNumber"} />
      </FormSection>
      <FormSection title={t("addressTitle")} lead={t(`addressLead.${kind}`)}>
        <AddressFields
          fields={fields}
          at={isPerson ? "person.address." : "legalPerson.businessAddress."}
          hasCoordinates={isPerson}
        />
      </FormSection>
    </>
  );
}

type OwnerProps = { index: number; draft: FormDraft; fields: Fields; onRemove: (() => void) | null };

function Owner({ index, draft, fields, onRemove }: OwnerProps) {
  const t = useTranslations("accountForm");
  const at = ownerAt(index);
  const number = index + 1;
  return (
    <fieldset className="space-y-4 rounded border border-line bg-canvas p-4">
      <legend className="sr-only">{t("owner", { number })}</legend>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p aria-hidden className="font-medium">
          {t("owner", { number })}
        </p>
        {onRemove === null ? null : (
          <Button tone="quiet" size="small" aria-label={t("removeOwner", { number })} onClick={onRemove}>
            <Icon of="trash-2" size={13} />
            {t("remove")}
          </Button>
        )}
      </div>
      <PersonLines fields={fields} at={at} />
      <TextLine fields={fields} name={`${at}email`} label={t("ownerEmail")} type="email" />
      <PhoneLine fields={fields} name={`${at}phoneNumber`} />
      <label className="flex cursor-pointer items-center gap-2.5">
        <input
          type="checkbox"
          checked={hasOwnAddress(draft, index)}
          onChange={({ target }) => fields.set(`${at}ownAddress`, target.checked ? "yes" : "")}
          className="size-3.5 accent-accent"
        />
        {t("ownAddress")}
      </label>
      {hasOwnAddress(draft, index) ? <AddressFields fields={fields} at={`${at}address.`} /> : null}
    </fieldset>
  );
}

type OwnersStepProps = { draft: FormDraft; fields: Fields; onOwners: () => void };

function OwnersStep({ draft, fields, onOwners }: OwnersStepProps) {
  const t = useTranslations("accountForm");
  const count = ownersOf(draft);
  const change = (values: Record<string, string>) => {
    draft.replace(values);
    onOwners();
  };
  return (
    <FormSection title={t("ownersTitle")} lead={t("ownersLead")}>
      {Array.from({ length: count }, (_, index) => (
        <Owner
          key={index}
          index={index}
          draft={draft}
          fields={fields}
          onRemove={count > 1 ? () => change(withoutOwner(draft, index)) : null}
        />
      ))}
      {count < OWNERS_MAX ? (
        <Button onClick={() => change(withOwner(draft))}>
          <Icon of="plus" size={14} />
          {t("addOwner")}
        </Button>
      ) : (
        <p className="text-sm text-muted">{t("ownersFull", { max: OWNERS_MAX })}</p>
      )}
    </FormSection>
  );
}

const PEP = "person.isPoliticallyExposedPerson";

function PepQuestion({ fields }: { fields: Fields }) {
  const t = useTranslations("accountForm");
  const error = fields.error(PEP);
  return (
    <ChoiceField legend={t("pep")} hint={t("pepHint")} error={error}>
      <div className="flex gap-5">
        {(["no", "yes"] as const).map((answer) => (
          <label key={answer} className="flex cursor-pointer items-center gap-2">
            <input
              type="radio"
              name={PEP}
              value={answer}
              checked={fields.value(PEP) === answer}
              onChange={() => fields.set(PEP, answer)}
              className="size-3.5 accent-accent"
            />
            {t(answer)}
          </label>
        ))}
      </div>
    </ChoiceField>
  );
}

function CompanyLines({ fields }: { fields: Fields }) {
  const t = useTranslations("accountForm");
  return (
    <>
      <MaskedLine
        fields={fields}
        name="legalPerson.documentNumber"
        label={t("cnpj")}
        mask={typingCnpj}
        className="max-w-60"
      />
      {isLetteredCnpj(fields.value("legalPerson.documentNumber")) ? (
        <Notice tone="warning" live="polite">
          {t("lettered")}
        </Notice>
      ) : null}
      <TextLine
        fields={fields}
        name="legalPerson.businessName"
        label={t("businessName")}
        hint={t("businessNameHint")}
      />
      <TextLine fields={fields} name="legalPerson.tradingName" label={t("tradingName")} />
      <DateLine fields={fields} name="legalPerson.establishmentDate" label={t("establishmentDate")} />
    </>
  );
}

function WhoStep({ kind, fields }: { kind: OnboardingKind; fields: Fields }) {
  const t = useTranslations("accountForm");
  return (
    <FormSection title={t(`who.${kind}.title`)} lead={t(`who.${kind}.lead`)}>
      {kind === "PJ" ? (
        <CompanyLines fields={fields} />
      ) : (
        <>
          <PersonLines fields={fields} at="person." isHolder />
          <PepQuestion fields={fields} />
        </>
      )}
    </FormSection>
  );
}

type EarlierNoticeProps = {
  earlier: EarlierAttempt;
  isFilled: boolean;
  onTake: (fields: Record<string, string>) => void;
};

const loadPrefill = () => import("./prefill-dialog");
const PrefillDialog = deferred(() => loadPrefill().then((loaded) => loaded.PrefillDialog));

/** Personal data, so shown only on request. */
function EarlierNotice({ earlier, isFilled, onTake }: EarlierNoticeProps) {
  const t = useTranslations("accountForm");
  const [isAsking, setAsking] = useState(false);
  const { id, document, isOurs } = earlier;
  return (
    <section aria-label={t("earlierTitle", { document })} className="max-w-4xl px-5 py-4">
      <Notice tone="info" className="px-4 py-3">
        <p className="font-medium tabular-nums">{t("earlierTitle", { document })}</p>
        <p className="mt-1">
          {t("earlierBody")}{" "}
          <Link href={`/onboarding/${id}`} prefetch={false} target="_blank" className="text-accent underline">
            {t("earlierOpen")}
          </Link>
        </p>
        <p className="mt-2">
          {t(isOurs ? "takeOverOurs" : "takeOverElsewhere")} {isFilled ? t("replaces") : null}
        </p>
        <Button
          size="small"
          className="mt-2"
          onClick={() => setAsking(true)}
          onFocus={() => void loadPrefill()}
          onPointerEnter={() => void loadPrefill()}
        >
          {t("takeOver")}
        </Button>
        {isAsking ? (
          <PrefillDialog
            from={id}
            onClose={() => setAsking(false)}
            onTake={(fields) => {
              setAsking(false);
              onTake(fields);
            }}
          />
        ) : null}
      </Notice>
    </section>
  );
}

function StepFields({ work }: { work: AccountWork }) {
  const { kind, step, fields, draft, forgetErrors } = work;
  if (step === "contact") return <ContactStep kind={kind} fields={fields} />;
  if (step === "owners") return <OwnersStep draft={draft} fields={fields} onOwners={forgetErrors} />;
  if (step === "documents") return <DocumentsStep kind={kind} fields={fields} />;
  return <WhoStep kind={kind} fields={fields} />;
}

function Filling({ work }: { work: AccountWork }) {
  const t = useTranslations("accountForm");
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const opened = useRef(work.step);
  const { kind, step, draft, errors, attempts, isChecking, failure, next, go, leave, forgetErrors } = work;
  const nameOf = useStepName(kind);
  const name = nameOf(step);
  const fieldLabel = useFieldLabel();
  const wanted = useRef<string | null>(null);
  const isLast = step === "documents";

  // Focuses the first error or the new step, but never when a field is merely left.
  const focus = useEffectEvent((tries: number, at: AccountWork["step"]) => {
    const field = wanted.current;
    wanted.current = null;
    if (field !== null && formStepOf(field) === at) focusNamed(form.current, field);
    else if (tries > 0 && work.wrong.has(at)) focusWrong(form.current);
    else if (opened.current !== at) heading.current?.focus();
    opened.current = at;
  });
  useEffect(() => focus(attempts, step), [attempts, step]);

  const labelOf = (field: string) => {
    const at = formStepOf(field);
    return at === step ? fieldLabel(field) : `${nameOf(at)} · ${fieldLabel(field)}`;
  };
  const show = (field: string) => {
    const at = formStepOf(field);
    if (at === step) return focusNamed(form.current, field);
    wanted.current = field;
    go(at);
  };
  return (
    <ReviewedForm
      ref={form}
      notice={<DraftNotice draft={draft} />}
      status={<DraftStatus draft={draft} onDiscarded={forgetErrors} />}
      heading={
        <h2 ref={heading} tabIndex={-1} className="sr-only">
          {name}
        </h2>
      }
      summary={
        attempts > 0 ? (
          <WrongFields fields={Object.keys(errors)} order={FIELD_ORDER} labelOf={labelOf} onShow={show} />
        ) : null
      }
      actions={
        <>
          {step === "who" ? null : <Button onClick={() => go(previousOf(work))}>{t("back")}</Button>}
          <Button type="submit" tone="primary" isBusy={isChecking}>
            {isChecking ? t(isLast ? "reviewing" : "checking") : t("next")}
          </Button>
        </>
      }
      onSubmit={() => !isChecking && next()}
      onLeave={leave}
    >
      <StepFields work={work} />
      <FailureNotice failure={failure} className="mt-4" />
    </ReviewedForm>
  );
}

function previousOf({ kind, step }: AccountWork) {
  if (step === "documents") return kind === "PJ" ? "owners" : "contact";
  return step === "owners" ? "contact" : "who";
}

export function AccountForm({ form }: { form: AccountFormState }) {
  const opened = <OpenedForm form={form} />;
  if (form.isSent) return opened;
  const from = form.earlier?.id ?? null;
  return (
    <DraftGate form={form} save={(order, at) => saveAccountDraft({ type: form.kind, from, order }, at)}>
      {opened}
    </DraftGate>
  );
}

function OpenedForm({ form }: { form: AccountFormState }) {
  const work = useAccount(form);
  const { kind, step, draft, review, wrong, go, forgetErrors } = work;
  if (form.isSent) return <SentNotice words="accountForm" onAnother={work.beginAnother} />;
  const take = (fields: Record<string, string>) => {
    draft.replace(withTaken(draft, fields));
    forgetErrors();
    go("who");
  };
  return (
    <>
      {form.earlier === null ? null : (
        <EarlierNotice earlier={form.earlier} isFilled={Object.keys(draft.values).length > 0} onTake={take} />
      )}
      <Progress kind={kind} current={step} wrong={wrong} onGo={go} />
      {step === "review" && review !== null ? <ReviewStep work={work} review={review} /> : <Filling work={work} />}
    </>
  );
}
