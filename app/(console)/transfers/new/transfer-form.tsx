"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useEffect, useRef, useState } from "react";
import { PayeeLine } from "@/app/(console)/transfers/transfer-words";
import { DraftGate, UnfinishedList } from "@/components/form/unfinished-drafts";
import { saveTransferDraft } from "@/lib/transfers/actions";
import { DraftNotice, DraftStatus, type Fields } from "@/components/form/draft-saver";
import { CountedField, FormSection } from "@/components/form/fields";
import { ReviewedForm } from "@/components/form/reviewed-form";
import { FailureNotice } from "@/components/layout/failure-text";
import { focusNamed, focusWrong, WrongFields } from "@/components/form/wrong-fields";
import { deferred } from "@/components/layout/deferred";
import { Money } from "@/components/table/money";
import { ProviderText } from "@/components/layout/provider-text";
import { Button, buttonClass } from "@/components/ui/button";
import { ChoiceField } from "@/components/ui/choice-field";
import { TextField } from "@/components/ui/field";
import { isFocusLost } from "@/components/ui/focus";
import { Notice } from "@/components/ui/notice";
import type { AccountView, BalanceView } from "@/lib/accounts/queries";
import type { Action } from "@/lib/action";
import type { DraftAnswer, DraftOrder } from "@/lib/drafts/view";
import { formatBrl, formatDateTime, formatTime, isDecimal, isZero } from "@/lib/text/format";
import { readReais } from "@/lib/text/typed-amount";
import { isLetteredCnpj, typedDocument } from "@/lib/text/typed-document";
import type { TransferFormState } from "@/lib/transfers/queries";
import {
  ACCOUNT_TYPES,
  DESCRIPTION_MAX,
  type SavedPayee,
  type UnfinishedTransfer,
  USER_MAX,
} from "@/lib/transfers/view";
import type { TransferKind } from "@/lib/db/enums/transfers";
import { BankField } from "./bank-field";
import { OverNotice, PayerNotice, ReviewStep, TedHours } from "./review-step";
import { type TransferWork, useTransfer } from "./use-transfer";

type LineProps = {
  fields: Fields;
  name: string;
  label: string;
  hint?: string;
  className?: string;
  inputMode?: "decimal" | "numeric";
  maxLength?: number;
};

function Line({ fields, name, ...line }: LineProps) {
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

type SourceProps = { account: AccountView; balance: BalanceView | null };

function Source({ account: { ref, branch, number, document }, balance }: SourceProps) {
  const t = useTranslations("transferForm");
  const locale = useLocale();
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded border border-line bg-canvas px-4 py-3">
      <div className="min-w-0">
        <p className="font-medium tabular-nums">
          <Link href={`/accounts/${ref}`} prefetch={false} className="hover:underline">
            <ProviderText text={`${branch} / ${number}`} />
          </Link>
        </p>
        <p className="text-sm text-muted tabular-nums">{document}</p>
      </div>
      <div className="text-sm tabular-nums">
        {balance === null ? (
          <p className="text-warning">{t("balanceUnread")}</p>
        ) : (
          <p>
            <span className="text-muted">{t("balance")} </span>
            <span className="font-medium">
              {isDecimal(balance.balance) ? <Money decimal={balance.balance} /> : balance.balance}
            </span>{" "}
            <span className="text-muted">{t("balanceAsOf", { time: formatTime(balance.asOf, locale) })}</span>
          </p>
        )}
        {balance === null || !isDecimal(balance.blockedBalance) || isZero(balance.blockedBalance) ? null : (
          <p className="text-muted">{t("blocked", { amount: formatBrl(balance.blockedBalance, locale) })}</p>
        )}
      </div>
      <Link href="/transfers/new" prefetch={false} className={buttonClass("quiet", "small")}>
        {t("changeSource")}
      </Link>
    </div>
  );
}

function RecipientFields({ fields }: { fields: Fields }) {
  const t = useTranslations("transferForm");
  const type = fields.value("bankAccountType") || ACCOUNT_TYPES[0];
  return (
    <>
      <TextField
        label={t("document")}
        name="document"
        autoComplete="off"
        spellCheck={false}
        value={fields.value("document")}
        error={fields.error("document")}
        className="max-w-60 tabular-nums"
        onChange={({ target }) => fields.set("document", target.value)}
        onBlur={({ target }) => fields.set("document", typedDocument(target.value))}
      />
      {isLetteredCnpj(fields.value("document")) ? (
        <Notice tone="warning" live="polite">
          {t("lettered")}
        </Notice>
      ) : null}
      <Line fields={fields} name="name" label={t("name")} className="max-w-md" />
      <BankField fields={fields} />
      <div className="grid max-w-md grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-4">
        <Line fields={fields} name="branchCode" label={t("branch")} hint={t("branchHint")} inputMode="numeric" />
        <Line fields={fields} name="accountCode" label={t("account")} hint={t("accountHint")} />
      </div>
      <ChoiceField legend={t("accountType")} error={fields.error("bankAccountType")}>
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {ACCOUNT_TYPES.map((one) => (
            <label key={one} className="flex cursor-pointer items-center gap-2">
              <input
                type="radio"
                name="bankAccountType"
                value={one}
                checked={type === one}
                onChange={() => fields.set("bankAccountType", one)}
                className="size-3.5 accent-accent"
              />
              {t(`accountTypes.${one}`)}
            </label>
          ))}
        </div>
      </ChoiceField>
    </>
  );
}

const loadPayees = () => import("./payees-dialog");
const PayeesDialog = deferred(() => loadPayees().then((loaded) => loaded.PayeesDialog));

function PayeePicker({ work }: { work: TransferWork }) {
  const t = useTranslations("transferForm");
  const [isOpen, setOpen] = useState(false);
  const choose = ({ id, to }: SavedPayee) => {
    setOpen(false);
    if (to.as === "account") work.fields.set("to", to.name);
    else work.fields.set("payee", id);
  };
  return (
    <>
      <Button
        className="self-start"
        onClick={() => setOpen(true)}
        onPointerEnter={() => void loadPayees()}
        onFocus={() => void loadPayees()}
      >
        {t("payeeChoose")}
      </Button>
      {isOpen ? (
        <PayeesDialog list={work.payees} onChanged={work.setPayees} onChoose={choose} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

function TedRecipient({ work }: { work: TransferWork }) {
  const t = useTranslations("transferForm");
  const { fields, payee } = work;
  if (payee !== null) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded border border-line bg-canvas px-4 py-3">
        <PayeeLine payee={payee} />
        <Button tone="quiet" size="small" onClick={() => fields.set("payee", "")}>
          {t("payeeChange")}
        </Button>
      </div>
    );
  }
  return (
    <>
      <RecipientFields fields={fields} />
      <SavePayee work={work} />
    </>
  );
}

function SavePayee({ work: { isSaving, saved, savePayee } }: { work: TransferWork }) {
  const t = useTranslations("transferForm");
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button tone="quiet" size="small" isBusy={isSaving} onClick={savePayee}>
        {isSaving ? t("payeeSaving") : t("payeeSave")}
      </Button>
      <p aria-live="polite" className="text-sm text-muted">
        {saved > 0 && !isSaving ? t("payeeSaved") : null}
      </p>
    </div>
  );
}

type AmountFieldsProps = Pick<SourceProps, "balance"> & { kind: TransferKind; fields: Fields; form: TransferFormState };

function AmountFields({ kind, fields, form, balance }: AmountFieldsProps) {
  const t = useTranslations("transferForm");
  const amount = readReais(fields.value("amount"));
  return (
    <>
      <Line
        fields={fields}
        name="amount"
        label={t("amount")}
        hint={t("amountHint")}
        inputMode="decimal"
        className="max-w-48 tabular-nums"
      />
      {amount === null ? null : <OverNotice amount={amount} balance={balance} />}
      {kind === "INTERNAL" ? (
        <CountedField
          name="description"
          label={t("description")}
          hint={t("descriptionHint")}
          tooLong={t("tooLong", { limit: DESCRIPTION_MAX })}
          value={fields.value("description")}
          limit={DESCRIPTION_MAX}
          error={fields.error("description")}
          onChange={(text) => fields.set("description", text)}
        />
      ) : (
        <TedHours window={form.window} />
      )}
    </>
  );
}

type WrongLinesProps = { errors: TransferWork["errors"]; onShow: (name: string) => void };

function WrongLines({ errors, onShow }: WrongLinesProps) {
  const t = useTranslations("transferForm");
  const labels = new Map([
    ["userId", t("user")],
    ["to", t("to")],
    ["document", t("document")],
    ["name", t("name")],
    ["institutionIspb", t("bank")],
    ["institutionCode", t("bankCode")],
    ["branchCode", t("branch")],
    ["accountCode", t("account")],
    ["bankAccountType", t("accountType")],
    ["amount", t("amount")],
    ["description", t("description")],
  ]);
  // No code is asked for while the bank itself is wrong.
  const isShown = (field: string) => field !== "institutionCode" || errors["institutionIspb"] === undefined;
  const wrong = Object.keys(errors).filter((field) => labels.has(field) && isShown(field));
  const labelOf = (field: string) => labels.get(field) ?? field;
  const show = (field: string) => onShow(field === "institutionIspb" ? "bank" : field);
  return <WrongFields fields={wrong} order={[...labels.keys()]} labelOf={labelOf} onShow={show} />;
}

type FillingProps = SourceProps & { kind: TransferKind; form: TransferFormState; work: TransferWork };

function Filling({ kind, account, balance, form, work }: FillingProps) {
  const t = useTranslations("transferForm");
  const element = useRef<HTMLFormElement>(null);
  const { draft, fields, errors, attempts, isChecking, failure, check, leave, forgetErrors } = work;
  const locale = useLocale();
  const { user } = form;
  const isOffered = user !== null && fields.value("userId") === user.userId;
  const origin =
    user === null
      ? t("userUnreported")
      : user.typed === null
        ? t("userReported")
        : t("userTyped", { name: user.typed.byName, time: formatDateTime(user.typed.at, locale) });
  const userHint = isOffered ? origin : user === null ? `${t("userHint")} ${origin}` : t("userHint");

  useEffect(() => {
    if (attempts > 0) focusWrong(element.current);
  }, [attempts]);

  useEffect(() => {
    if (isFocusLost()) element.current?.querySelector("input")?.focus({ preventScroll: true });
  }, []);

  const writeOtherUser = () => {
    fields.set("userId", "");
    focusNamed(element.current, "userId");
  };
  return (
    <ReviewedForm
      ref={element}
      notice={<DraftNotice draft={draft} />}
      status={<DraftStatus draft={draft} onDiscarded={forgetErrors} />}
      summary={
        attempts > 0 ? <WrongLines errors={errors} onShow={(name) => focusNamed(element.current, name)} /> : null
      }
      actions={
        <Button type="submit" tone="primary" isBusy={isChecking}>
          {isChecking ? t("checking") : t("toReview")}
        </Button>
      }
      onSubmit={() => !isChecking && check()}
      onLeave={leave}
    >
      <FormSection title={t("payTitle")} lead={t("payLead")}>
        <Source account={account} balance={balance} />
        <PayerNotice account={account} balance={balance} />
        <div>
          <Line
            fields={fields}
            name="userId"
            label={t("user")}
            hint={userHint}
            maxLength={USER_MAX}
            className="max-w-md"
          />
          {isOffered ? (
            <Button tone="quiet" size="small" className="mt-1 -ml-2" onClick={writeOtherUser}>
              {t("userOther")}
            </Button>
          ) : null}
        </div>
      </FormSection>
      <FormSection title={t("receiveTitle")} lead={t(`receiveLead.${kind}`)}>
        {work.payee === null ? <PayeePicker work={work} /> : null}
        {kind === "INTERNAL" ? (
          <>
            <Line fields={fields} name="to" label={t("to")} hint={t("toHint")} maxLength={200} className="max-w-md" />
            <SavePayee work={work} />
          </>
        ) : (
          <TedRecipient work={work} />
        )}
      </FormSection>
      <FormSection title={t("amountTitle")} lead={t(`amountLead.${kind}`)}>
        <AmountFields kind={kind} fields={fields} form={form} balance={balance} />
      </FormSection>
      <FailureNotice failure={failure} className="mt-4" />
    </ReviewedForm>
  );
}

/** Replaces a form left while it was sent, whose text must not start another draft. */
function InFlight({ id }: { id: string }) {
  const t = useTranslations("transferForm");
  return (
    <div className="max-w-4xl px-5 py-5">
      <Notice tone="info">
        <p>{t("inFlight")}</p>
        <Link href={`/transfers/${id}`} prefetch={false} className="mt-1 inline-block text-accent underline">
          {t("inFlightLink")}
        </Link>
      </Notice>
    </div>
  );
}

const told = new Set<string>();

/** What a person sees once who goes back after an order: the form is another one. */
export function OrderedBefore({ id }: { id: string }) {
  const t = useTranslations("transferForm");
  const [isNews] = useState(() => !told.has(id));
  useEffect(() => void told.add(id), [id]);
  if (!isNews) return null;
  return (
    <Notice tone="info" className="mx-5 mt-4 max-w-4xl">
      <p>{t("orderedBefore")}</p>
      <Link href={`/transfers/${id}`} prefetch={false} className="mt-1 inline-block text-accent underline">
        {t("inFlightLink")}
      </Link>
    </Notice>
  );
}

type TransferFormProps = SourceProps & { kind: TransferKind; form: TransferFormState };

type DraftForm = Pick<UnfinishedTransfer, "kind" | "from">;

const saveOf =
  ({ kind, from }: DraftForm): Action<DraftOrder, DraftAnswer> =>
  (order, at) =>
    saveTransferDraft({ kind, from, order }, at);

/** Drafts offered before an account is chosen. */
export const UnfinishedTransfers = ({ drafts }: { drafts: readonly UnfinishedTransfer[] }) => (
  <UnfinishedList drafts={drafts} saveOf={saveOf} />
);

export function TransferForm(props: TransferFormProps) {
  const { kind, account, form } = props;
  return (
    <DraftGate form={form} save={saveOf({ kind, from: account.ref })} saveOf={saveOf}>
      <OpenedForm {...props} />
    </DraftGate>
  );
}

function OpenedForm({ kind, account, balance, form }: TransferFormProps) {
  const t = useTranslations("transferForm");
  const work = useTransfer({ kind, from: account.ref, form });
  // A form that is sending hears of it too, and must stay.
  const [wasInFlight] = useState(form.isInFlight);
  if (wasInFlight && form.isInFlight) return <InFlight id={form.draft.draftId} />;
  if (form.lacksOnboarding) {
    return (
      <div className="max-w-4xl space-y-4 px-5 py-5">
        <Source account={account} balance={balance} />
        <Notice tone="warning">
          <p>{t("lacksOnboarding")}</p>
          <Link href="/accounts" prefetch={false} className="mt-1 inline-block text-accent underline">
            {t("lacksOnboardingLink")}
          </Link>
        </Notice>
      </div>
    );
  }
  if (work.review === null) {
    return (
      <>
        {form.orderedId === null || form.isInFlight || work.draft.state !== "empty" ? null : (
          <OrderedBefore id={form.orderedId} />
        )}
        <Filling kind={kind} account={account} balance={balance} form={form} work={work} />
      </>
    );
  }
  return <ReviewStep review={work.review} work={work} account={account} balance={balance} user={form.user} />;
}
