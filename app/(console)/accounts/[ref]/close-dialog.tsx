"use client";

import { useQuery } from "@tanstack/react-query";
import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import { Money } from "@/components/table/money";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import type { ClosingObstacle } from "@/lib/accounts/can";
import { type ClosingTerms, CLOSING_REASON_MAX, CLOSING_USER_MAX } from "@/lib/accounts/view";
import { formatBrl, formatDateTime, isZero } from "@/lib/text/format";
import { OTHER_SCOPE, SIGNED_OUT, useRead } from "@/components/session/use-read";
import { useState } from "react";
import {
  forgetRefused,
  HolderFields,
  holderProofIn,
  useMissingProof,
} from "@/app/(console)/accounts/closure/holder-fields";
import { CountedField } from "@/components/form/fields";
import { FormDialog } from "@/components/form/form-dialog";
import { TextField } from "@/components/ui/field";
import { useAction } from "@/components/session/use-action";
import { closeAccountNow, proposeAccountClosure } from "@/lib/accounts/actions";
import type { Failure } from "@/lib/errors/result";

const CONSEQUENCES = ["final", "movements", "statement"] as const;

/** Explains what closing an account means to a first-time user. */
export function Consequences() {
  const t = useTranslations("closing");
  return (
    <section aria-label={t("consequences")}>
      <ul className="list-disc space-y-1 pl-5 marker:text-faint">
        {CONSEQUENCES.map((name) => (
          <li key={name}>{t(`consequence.${name}`)}</li>
        ))}
      </ul>
    </section>
  );
}

/** The account's balance and whatever blocks its closing. */
export function Conditions({ read: { terms, hasFailed, readAgain } }: { read: ClosingTermsRead }) {
  const t = useTranslations("closing");
  if (hasFailed) {
    return (
      <Notice tone="negative" live="assertive">
        <p>{t("unread")}</p>
        <Button size="small" className="mt-2" onClick={readAgain}>
          {t("again")}
        </Button>
      </Notice>
    );
  }
  return (
    <div aria-live="polite" className="space-y-3">
      {terms === undefined ? <span className="sr-only">{t("reading")}</span> : null}
      <dl className="divide-y divide-line rounded border border-line bg-canvas">
        <Amount name={t("balance")} decimal={terms?.balance} />
        <Amount name={t("blocked")} decimal={terms?.blockedBalance} />
      </dl>
      {terms === undefined ? null : <TermList terms={terms} />}
    </div>
  );
}

function Amount({ name, decimal }: { name: string; decimal: string | undefined }) {
  const t = useTranslations("closing");
  const isMet = decimal !== undefined && isZero(decimal);
  const icon = isMet ? "check" : "x";
  return (
    <div className="flex min-h-9 items-center gap-3 px-3">
      <dt className="flex-1 text-muted">{name}</dt>
      <dd className="flex items-center gap-2 tabular-nums">
        {decimal === undefined ? (
          <Skeleton className="h-3.5 w-24" />
        ) : (
          <>
            <Money decimal={decimal} />
            <Icon of={icon} size={14} className={isMet ? "text-positive" : "text-negative"} />
            <span className="sr-only">{isMet ? t("isMet") : t("isNotMet")}</span>
          </>
        )}
      </dd>
    </div>
  );
}

function TermList({ terms: { obstacles, notes, waiting, arriving } }: { terms: ClosingTerms }) {
  const t = useTranslations("closing");
  const locale = useLocale();
  const valuesOf = ({ sum, count }: ClosingTerms["waiting"]) => ({ count, amount: formatBrl(sum, locale) });
  const said = (obstacle: ClosingObstacle) => <li key={obstacle}>{t(`obstacle.${obstacle}`)}</li>;
  return (
    <>
      {obstacles.length === 0 ? null : (
        <Notice tone="negative">
          <p className="font-medium">{t("obstacles")}</p>
          <ul className="list-disc pl-5">{obstacles.map(said)}</ul>
        </Notice>
      )}
      {notes.length === 0 ? null : (
        <Notice tone="warning">
          {notes.map((note) => (
            <p key={note}>{t(`note.${note}`, valuesOf(note === "transfer-arriving" ? arriving : waiting))}</p>
          ))}
        </Notice>
      )}
    </>
  );
}

export type ClosingTermsRead = {
  /** Undefined until read; never from an earlier reading. */
  terms: ClosingTerms | undefined;
  /** By the last reading of the policy. */
  needsApproval: boolean;
  hasFailed: boolean;
  readAgain: () => void;
};

export function useClosingTerms(accountRef: string): ClosingTermsRead {
  const read = useRead();
  const query = useQuery({
    queryKey: ["closing-terms", accountRef],
    gcTime: 0,
    queryFn: ({ signal }) => read<ClosingTerms>(`/api/accounts/${accountRef}/closing`, signal),
    staleTime: 0,
    refetchOnWindowFocus: false,
    retry: (failures, error) => failures < 1 && error.cause !== SIGNED_OUT && error.cause !== OTHER_SCOPE,
  });
  return {
    terms: query.isFetching ? undefined : query.data,
    needsApproval: query.data?.needsApproval ?? true,
    hasFailed: query.isError && !query.isFetching,
    readAgain: () => void query.refetch(),
  };
}

export type CloseDialogProps = {
  accountRef: string;
  onClose: () => void;
  onDone: (done: "proposed" | "closed") => void;
  /** Called when the action was refused or unanswered, as the page behind may be out of date. */
  onRefused: () => void;
};

type Missing = Partial<Record<"userId" | "reason" | "userAccessToken" | "code", string>>;

/** Asks for the reason and, where no approval is needed, for the holder's token and code. */
export function CloseDialog({ accountRef: ref, onClose, onDone, onRefused }: CloseDialogProps) {
  const t = useTranslations("closing");
  const read = useClosingTerms(ref);
  const proposing = useAction(proposeAccountClosure);
  const closing = useAction(closeAccountNow);
  const missingIn = useMissingProof();
  const [missing, setMissing] = useState<Missing>({});
  const [typed, setTyped] = useState<Typed>({ userId: null, reason: "" });
  const user = read.terms?.user ?? null;
  const order = { userId: typed.userId ?? user?.userId ?? "", reason: typed.reason };
  const [hasProof, setHasProof] = useState(false);
  const isAlone = !read.needsApproval;
  const [asked, other] = isAlone ? [closing, proposing] : [proposing, closing];
  const { pending } = asked;
  // The first action was refused because the policy changed meanwhile.
  const failure = asked.failure ?? other.failure;
  const isReady = read.terms !== undefined && read.terms.obstacles.length === 0;
  const errors: Missing = { ...failure?.fields, ...missing };

  const refused = (form: HTMLFormElement, refusal: Failure) => {
    forgetRefused(form, refusal);
    if (refusal.kind === "conflict") read.readAgain();
    onRefused();
  };
  const submit = (form: HTMLFormElement, intentId: string) => {
    const proof = holderProofIn(form);
    const left: Missing = {
      ...(order.userId.trim() === "" && { userId: t("userFirst") }),
      ...(order.reason.trim() === "" && { reason: t("reasonFirst") }),
      ...(isAlone ? missingIn(proof) : {}),
    };
    setMissing(left);
    const [first] = Object.keys(left);
    if (first !== undefined || order.reason.length > CLOSING_REASON_MAX) {
      const field = form.elements.namedItem(first ?? "reason");
      if (field instanceof HTMLElement) field.focus();
      return;
    }
    const ordered = { intentId, ref, ...order };
    const onFailed = (refusal: Failure) => refused(form, refusal);
    if (isAlone) closing.run({ ...ordered, ...proof }, () => onDone("closed"), onFailed);
    else proposing.run(ordered, () => onDone("proposed"), onFailed);
  };

  return (
    <FormDialog
      title={t("dialogTitle")}
      description={isAlone ? t("dialogBodyAlone") : t("dialogBodyProposed")}
      submitLabel={isAlone ? t("submit") : t("propose")}
      tone={isAlone ? "negative" : "primary"}
      isReady={isReady}
      slow={isAlone ? "unanswered" : "slow"}
      pending={pending}
      error={failure}
      isWritten={hasProof || `${typed.userId ?? ""}${typed.reason}`.trim() !== ""}
      onSubmit={submit}
      onClose={onClose}
    >
      <Consequences />
      <Conditions read={read} />
      <OrderFields order={order} user={user} errors={errors} onChange={setTyped} />
      {isAlone ? <HolderFields errors={errors} onTyped={() => setHasProof(true)} /> : null}
    </FormDialog>
  );
}

type Order = Record<"userId" | "reason", string>;
/** A null `userId` means unchanged. */
type Typed = { userId: string | null; reason: string };
type OrderFieldsProps = {
  order: Order;
  user: ClosingTerms["user"];
  errors: Missing;
  onChange: (typed: Typed) => void;
};

function useUserHint({ order, user }: Pick<OrderFieldsProps, "order" | "user">): string {
  const t = useTranslations();
  const locale = useLocale();
  if (user === null) return `${t("closing.userHint")} ${t("accountRecord.userIdNeeded")}`;
  if (order.userId !== user.userId) return t("closing.userHint");
  if (user.typed === null) return t("transferForm.userReported");
  return t("transferForm.userTyped", { name: user.typed.byName, time: formatDateTime(user.typed.at, locale) });
}

function OrderFields({ order, user, errors, onChange }: OrderFieldsProps) {
  const t = useTranslations("closing");
  const userHint = useUserHint({ order, user });
  return (
    <>
      <TextField
        name="userId"
        label={t("user")}
        hint={userHint}
        error={errors.userId}
        value={order.userId}
        maxLength={CLOSING_USER_MAX}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ ...order, userId: event.target.value })}
      />
      <CountedField
        name="reason"
        label={t("reason")}
        hint={t("reasonHint")}
        tooLong={t("tooLong", { limit: CLOSING_REASON_MAX })}
        value={order.reason}
        limit={CLOSING_REASON_MAX}
        error={errors.reason}
        onChange={(reason) => onChange({ ...order, reason })}
      />
    </>
  );
}
