import { useLocale, useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { PossibleDuplicates, DuplicateLine } from "@/app/(console)/write-checks/possible-duplicates";
import { type Repeat, useRepeat } from "@/app/(console)/write-checks/use-repeat";
import type { FormDraft } from "@/components/form/draft-saver";
import { OnboardingStatusBadge } from "@/components/layout/badges";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { FailureNotice } from "@/components/layout/failure-text";
import { SlowNote } from "@/components/layout/slow-note";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { AccountDuplicate, AccountReview, FormStep } from "@/lib/onboarding/view";
import type { OnboardingKind } from "@/lib/db/enums/onboarding";
import { formatDate } from "@/lib/text/format";
import { OtherState, PasswordFields } from "./bound-fields";
import { ProviderText } from "@/components/layout/provider-text";
import { addressIn, useStepName } from "./steps";
import { type AccountWork, hasOwnAddress, ownerAt, ownersOf } from "./use-account";

export function ReviewedAddress({ draft, at }: { draft: Pick<FormDraft, "value">; at: string }) {
  const typed = (part: string) => draft.value(`${at}${part}`).trim();
  const street = [typed("street"), typed("number"), typed("complement")].filter(Boolean).join(", ");
  const parts = [street, typed("neighborhood"), `${typed("city")}/${typed("state")}`, typed("postalCode")];
  return (
    <>
      {parts.filter(Boolean).join(" · ")}
      <OtherState fields={draft} at={at} />
    </>
  );
}

function AccountLine({ duplicate }: { duplicate: AccountDuplicate }) {
  const t = useTranslations("accountForm");
  const locale = useLocale();
  const { id, at, byName, status, isUnconfirmed } = duplicate;
  const date = formatDate(at, locale);
  const ours = isUnconfirmed ? "likeUnsettled" : "likeOurs";
  return (
    <DuplicateLine
      words="accountForm"
      text={byName === null ? t("likeElsewhere", { date }) : t(ours, { date, name: byName })}
      status={status === null ? null : <OnboardingStatusBadge status={status} />}
      href={id === null ? null : `/onboarding/${id}`}
    />
  );
}

type AccountDuplicatesProps = { duplicates: readonly AccountDuplicate[]; repeat: Repeat };

function AccountDuplicates({ duplicates, repeat }: AccountDuplicatesProps) {
  const t = useTranslations("accountForm");
  return (
    <PossibleDuplicates words="accountForm" title={t("likeTitle")} again={t("again")} repeat={repeat}>
      {duplicates.map((duplicate) => (
        <AccountLine key={duplicate.ref} duplicate={duplicate} />
      ))}
    </PossibleDuplicates>
  );
}

type ReviewedProps = { kind: OnboardingKind; draft: FormDraft; onGo: (step: FormStep) => void };

type PartProps = Pick<ReviewedProps, "kind" | "onGo"> & { step: FormStep; children: ReactNode };

function Part({ kind, step, onGo, children }: PartProps) {
  const t = useTranslations("accountForm");
  const name = useStepName(kind)(step);
  return (
    <section aria-label={name}>
      <div className="mb-2 flex items-center justify-between gap-3">
        <h3 className="font-medium">{name}</h3>
        <Button tone="quiet" size="small" onClick={() => onGo(step)}>
          {t("edit", { step: name })}
        </Button>
      </div>
      <DescriptionList>{children}</DescriptionList>
    </section>
  );
}

function Individual({ draft, at }: { draft: FormDraft; at: string }) {
  const t = useTranslations("accountForm");
  const typed = (part: string) => draft.value(`${at}${part}`);
  return (
    <>
      <Described name={t("cpf")}>{typed("documentNumber").trim()}</Described>
      <Described name={t("birthDate")}>{typed("birthDate").trim()}</Described>
      <Described name={t("motherName")}>{typed("motherName").trim()}</Described>
    </>
  );
}

function Who({ kind, draft }: Pick<ReviewedProps, "kind" | "draft">) {
  const t = useTranslations("accountForm");
  if (kind === "PF") {
    const isExposed = draft.value("person.isPoliticallyExposedPerson") === "yes";
    return (
      <>
        <Described name={t("fullName")}>{draft.value("person.fullName").trim()}</Described>
        <Individual draft={draft} at="person." />
        <Described name={t("pep")}>{t(isExposed ? "yes" : "no")}</Described>
      </>
    );
  }
  const typed = (part: string) => draft.value(`legalPerson.${part}`);
  return (
    <>
      <Described name={t("cnpj")}>{typed("documentNumber").trim()}</Described>
      <Described name={t("businessName")}>{typed("businessName")}</Described>
      <Described name={t("tradingName")}>{typed("tradingName")}</Described>
      <Described name={t("establishmentDate")}>{typed("establishmentDate")}</Described>
    </>
  );
}

function Contact({ kind, draft }: Pick<ReviewedProps, "kind" | "draft">) {
  const t = useTranslations("accountForm");
  const isPerson = kind === "PF";
  const other = draft.value(isPerson ? "person.email" : "legalPerson.businessEmail");
  return (
    <>
      <Described name={t("email")}>{draft.value("email").trim()}</Described>
      {other.trim() === "" ? null : (
        <Described name={t(isPerson ? "personEmail" : "businessEmail")}>{other.trim()}</Described>
      )}
      <Described name={t("phone")}>
        {draft.value(isPerson ? "person.phoneNumber" : "legalPerson.contactNumber").trim()}
      </Described>
      <Described name={t("addressTitle")}>
        <ReviewedAddress draft={draft} at={isPerson ? "person.address." : "legalPerson.businessAddress."} />
      </Described>
    </>
  );
}

function Owner({ draft, index }: { draft: FormDraft; index: number }) {
  const t = useTranslations("accountForm");
  const at = ownerAt(index);
  return (
    <>
      <Described name={t("owner", { number: index + 1 })}>{draft.value(`${at}fullName`).trim()}</Described>
      <Individual draft={draft} at={at} />
      <Described name={t("ownerEmail")}>{draft.value(`${at}email`).trim()}</Described>
      <Described name={t("phone")}>{draft.value(`${at}phoneNumber`).trim()}</Described>
      <Described name={t("addressTitle")}>
        {hasOwnAddress(draft, index) ? <ReviewedAddress draft={draft} at={`${at}address.`} /> : t("sameAsCompany")}
      </Described>
    </>
  );
}

const linkIn = (typed: string) =>
  addressIn(typed) === null ? null : (
    <span className="wrap-anywhere">
      <ProviderText text={typed.trim()} />
    </span>
  );

type DocumentsProps = Pick<ReviewedProps, "kind"> & { draft: Pick<FormDraft, "value"> };

export function Documents({ kind, draft }: DocumentsProps) {
  const t = useTranslations("accountForm");
  const links = ["documentLink", "documentBackLink", "selfieLink"] as const;
  const all = kind === "PF" ? links : ([...links, "socialContractLink"] as const);
  return all.map((link) => (
    <Described key={link} name={t(link)}>
      {linkIn(draft.value(`bankDocuments.${link}`)) ?? t("notGiven")}
    </Described>
  ));
}

function ReviewedForm({ kind, draft, onGo }: ReviewedProps) {
  const owners = kind === "PF" ? 0 : ownersOf(draft);
  return (
    <div className="space-y-6">
      <Part kind={kind} step="who" onGo={onGo}>
        <Who kind={kind} draft={draft} />
      </Part>
      <Part kind={kind} step="contact" onGo={onGo}>
        <Contact kind={kind} draft={draft} />
      </Part>
      {owners === 0 ? null : (
        <Part kind={kind} step="owners" onGo={onGo}>
          {Array.from({ length: owners }, (_, index) => (
            <Owner key={index} draft={draft} index={index} />
          ))}
        </Part>
      )}
      <Part kind={kind} step="documents" onGo={onGo}>
        <Documents kind={kind} draft={draft} />
      </Part>
    </div>
  );
}

const valueOf = (input: HTMLInputElement | null) => input?.value ?? "";

function empty(...inputs: (HTMLInputElement | null)[]): void {
  for (const input of inputs) if (input !== null) input.value = "";
}

export function ReviewStep({ work, review }: { work: AccountWork; review: AccountReview }) {
  const t = useTranslations("accountForm");
  const { kind, draft, fields, attempts, failure, isSending } = work;
  const { duplicates, hasLetters, minorAge } = review;
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const again = useRef<HTMLInputElement>(null);
  const repeat = useRepeat(duplicates);

  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [attempts]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!repeat.isAgreed() || isSending || repeat.isBlocked) return;
    const typed = { transactionPassword: valueOf(password.current), passwordAgain: valueOf(again.current) };
    work.send({ ...typed, seen: repeat.seen }, () => empty(password.current, again.current));
  };

  return (
    <form ref={form} method="post" noValidate autoComplete="off" onSubmit={submit} className="max-w-4xl px-5 pb-6">
      <h2 ref={heading} tabIndex={-1} className="pt-5 text-md font-semibold outline-none">
        {t("reviewTitle")}
      </h2>
      <p className="mt-1 mb-4 text-sm text-muted">{t("reviewLead")}</p>
      <div className="space-y-4">
        {hasLetters ? <Notice tone="warning">{t("lettered")}</Notice> : null}
        {minorAge === null ? null : <Notice tone="warning">{t("minor", { age: minorAge })}</Notice>}
        {duplicates.length > 0 ? <AccountDuplicates duplicates={duplicates} repeat={repeat} /> : null}
        <ReviewedForm kind={kind} draft={draft} onGo={work.go} />
        {repeat.isBlocked ? null : <PasswordFields password={password} again={again} error={fields.error} />}
        <FailureNotice failure={failure} />
        <div className="flex flex-wrap items-center justify-end gap-2 pt-2">
          {isSending ? <SlowNote of="unanswered" className="basis-full text-end" /> : null}
          <Button onClick={() => work.go("documents")}>{t("back")}</Button>
          {repeat.isBlocked ? null : (
            <Button type="submit" tone="primary" isBusy={isSending}>
              {isSending ? t("creating") : t("create")}
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}
