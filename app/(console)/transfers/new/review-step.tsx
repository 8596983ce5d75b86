import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useEffect, useRef } from "react";
import { PossibleDuplicates, DuplicateLine } from "@/app/(console)/write-checks/possible-duplicates";
import { type Repeat, useRepeat } from "@/app/(console)/write-checks/use-repeat";
import { RecipientFacts, TransferStatus } from "@/app/(console)/transfers/transfer-words";
import type { Fields } from "@/components/form/draft-saver";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { FailureNotice } from "@/components/layout/failure-text";
import { Money } from "@/components/table/money";
import { ProviderText } from "@/components/layout/provider-text";
import { SlowNote } from "@/components/layout/slow-note";
import { Button } from "@/components/ui/button";
import { ClosingParties } from "@/app/(console)/transfers/closing-parties";
import { Notice } from "@/components/ui/notice";
import type { AccountView, BalanceView } from "@/lib/accounts/queries";
import type { AccountStanding } from "@/lib/db/enums/accounts";
import { reasonValues } from "@/lib/approvals/view";
import { formatBrl, formatDate, formatDateTime, formatTime, isDecimal, isToTheCent } from "@/lib/text/format";
import { isBehindMask, typedDocument } from "@/lib/text/typed-document";
import { namingHidden } from "@/lib/text/safe-link";
import { ACCOUNT_TYPES, type Recipient, REPEAT_DAYS, type TransferDuplicate } from "@/lib/transfers/view";
import { bankLabel, bankOfIspb } from "@/lib/text/banks";
import type { TransferFormState, TransferReview } from "@/lib/transfers/queries";
import { bankBehind } from "./bank-field";
import type { TransferWork } from "./use-transfer";

/** When a TED ordered now leaves, by the banks' usual hours. */
export function TedHours({ window, isProposed = false }: Pick<TransferFormState, "window"> & { isProposed?: boolean }) {
  const t = useTranslations("transferForm");
  const locale = useLocale();
  const { isOpen, reason, opens, closes, day } = window;
  const now = isOpen || reason === null ? "open" : reason;
  const when = isProposed ? "proposed" : now;
  return (
    <Notice tone={isOpen || isProposed ? "info" : "warning"}>
      <p>{t(`window.${when}`, { opens, closes, day: formatDate(day, locale) })}</p>
      <p className="mt-0.5 text-muted">{t("windowNote")}</p>
    </Notice>
  );
}

const centsOf = (decimal: string) => BigInt(decimal.replace(".", ""));

/** Amounts that are not exact are never compared. */
const exceeds = (cents: bigint, { balance }: BalanceView) =>
  isDecimal(balance) && isToTheCent(balance) && !balance.startsWith("-")
    ? cents > centsOf(balance)
    : balance.startsWith("-");

export function OverNotice({ amount, balance }: { amount: string; balance: BalanceView | null }) {
  const t = useTranslations("transferForm");
  const locale = useLocale();
  if (balance === null || !exceeds(centsOf(amount), balance)) return null;
  const told = { balance: formatBrl(balance.balance, locale), time: formatTime(balance.asOf, locale) };
  return (
    <Notice tone="warning" live="polite">
      {t("over", told)}
    </Notice>
  );
}

type WaitingNoticeProps = { review: TransferReview; balance: BalanceView | null };

function WaitingNotice({ review: { amount, waiting }, balance }: WaitingNoticeProps) {
  const t = useTranslations("transferForm");
  const locale = useLocale();
  if (waiting.count === 0) return null;
  const isOver = balance !== null && exceeds(centsOf(amount) + centsOf(waiting.sum), balance);
  const values = { count: waiting.count, amount: formatBrl(waiting.sum, locale) };
  return (
    <Notice tone={isOver ? "warning" : "info"}>
      {t("waiting", values)} {isOver ? t("waitingOver") : null}
    </Notice>
  );
}

type TransferDuplicatesProps = { duplicates: readonly TransferDuplicate[]; amount: string; repeat: Repeat };

function TransferDuplicates({ duplicates, amount, repeat }: TransferDuplicatesProps) {
  const t = useTranslations("transferForm");
  const locale = useLocale();
  return (
    <PossibleDuplicates
      words="transferForm"
      title={t("likeTitle", { days: REPEAT_DAYS })}
      again={t("again", { amount })}
      repeat={repeat}
    >
      {duplicates.map(({ ref, at, byName, state }) => (
        <DuplicateLine
          key={ref}
          words="transferForm"
          text={t("likeLine", { time: formatDateTime(at, locale), name: byName })}
          status={<TransferStatus state={state} />}
          href={`/transfers/${ref}`}
        />
      ))}
    </PossibleDuplicates>
  );
}

/** As typed, in clear; a saved payee stays masked. */
function typedRecipient({ value }: Fields): Recipient {
  const { institutionIspb: ispb, institutionCode } = bankBehind(value);
  const bank = bankOfIspb(ispb);
  return {
    as: "recipient",
    name: value("name").trim(),
    document: value("document").trim(),
    bank: bank === null ? null : bankLabel(bank),
    ispb,
    code: Number(institutionCode),
    branch: value("branchCode").trim(),
    account: value("accountCode").trim(),
    accountType: ACCOUNT_TYPES.find((one) => one === value("bankAccountType")) ?? ACCOUNT_TYPES[0],
  };
}

/** In full as it was typed; masked where the account was named another way, as by a number of as many digits. */
function holderDocument({ value }: Fields, masked: string | null): string | null {
  const typed = typedDocument(value("to"));
  return masked !== null && isBehindMask(typed, masked) ? typed : masked;
}

type HolderLineProps = { holder: string | null; document: string | null };

/** A document stays whole: between its parts a line could break. */
function HolderLine({ holder, document }: HolderLineProps) {
  const t = useTranslations("transferForm");
  if (!holder && !document) return t("unknownHolder");
  return (
    <>
      {holder ? <span className="me-1">{holder}</span> : null}{" "}
      {document ? <span className="whitespace-nowrap">{document}</span> : null}
    </>
  );
}

type ReviewedProps = { review: TransferReview; fields: Fields; account: AccountView };

function Reviewed({
  review: { kind, to, amount },
  fields,
  account,
  user,
}: ReviewedProps & Pick<TransferFormState, "user">) {
  const t = useTranslations();
  const userId = fields.value("userId").trim();
  const isReported = user?.typed === null && user.userId === userId;
  return (
    <DescriptionList>
      <Described name={t("transfers.facts.amount")}>
        <Money decimal={amount} />
      </Described>
      <Described name={t("transfers.facts.from")}>
        <ProviderText text={`${account.branch} / ${account.number}`} />
        <span className="text-muted">
          <HolderLine holder={account.holder} document={account.document} />
        </span>
      </Described>
      {to?.as !== "account" ? null : (
        <>
          <Described name={t("transfers.facts.to")}>
            <ProviderText text={to.name} />
          </Described>
          <Described name={t("transferForm.holder")}>
            <span>
              <HolderLine holder={to.holder} document={holderDocument(fields, to.document)} />
            </span>
          </Described>
        </>
      )}
      {kind === "EXTERNAL" ? <RecipientFacts to={to?.as === "recipient" ? to : typedRecipient(fields)} /> : null}
      {kind === "INTERNAL" && fields.value("description").trim() !== "" ? (
        <Described name={t("transfers.facts.description")}>{fields.value("description").trim()}</Described>
      ) : null}
      <Described name={t("transfers.facts.user")}>
        {userId}
        {isReported ? null : <span className="text-muted">{t("transferForm.userUnconfirmed")}</span>}
      </Described>
    </DescriptionList>
  );
}

function useSentence({ review: { kind, to }, fields, account }: ReviewedProps, amount: string): string {
  const t = useTranslations();
  const from = namingHidden(`${account.branch} / ${account.number}`);
  if (kind === "INTERNAL")
    return t("transferForm.sentence.INTERNAL", { amount, from, to: namingHidden(to?.name ?? "") });
  const { name, bank, ispb, ...paid } = to?.as === "recipient" ? to : typedRecipient(fields);
  return t("transferForm.sentence.EXTERNAL", {
    amount,
    from,
    name,
    bank: bank ?? t("transfers.facts.bankUnknown", { ispb }),
    branch: paid.branch,
    account: paid.account,
  });
}

const isShut = (standing: AccountStanding) => standing === "CLOSED" || standing === "BLOCKED";

type PayerNoticeProps = { account: AccountView; balance: BalanceView | null };

/** Warns about a paying account that will probably be refused. */
export function PayerNotice({ account, balance }: PayerNoticeProps) {
  const t = useTranslations("transferForm");
  const standing = balance === null || balance.standing === "UNKNOWN" ? account.standing : balance.standing;
  return isShut(standing) ? <Notice tone="warning">{t("fromStands", { standing })}</Notice> : null;
}

type ReviewStepProps = {
  review: TransferReview;
  work: TransferWork;
  account: AccountView;
  balance: BalanceView | null;
  user: TransferFormState["user"];
};

export function ReviewStep({ review, work, account, balance, user }: ReviewStepProps) {
  const t = useTranslations("transferForm");
  const locale = useLocale();
  const { fields, failure, isSending, correct, send } = work;
  const { approval, isFirstUse, duplicates, window } = review;
  const heading = useRef<HTMLHeadingElement>(null);
  const repeat = useRepeat(duplicates);
  const amount = formatBrl(review.amount, locale);
  const sentence = useSentence({ review, fields, account }, amount);
  const payee = review.to?.as === "account" ? review.to.standing : "UNKNOWN";

  useEffect(() => heading.current?.focus(), []);

  const confirm = () => {
    if (repeat.isAgreed() && !isSending) send(repeat.seen);
  };
  return (
    <div className="max-w-4xl px-5 pb-6">
      <h2 ref={heading} tabIndex={-1} className="py-5 text-md font-semibold outline-none">
        {t("reviewTitle")}
      </h2>
      <div className="space-y-4">
        <div className="rounded border border-accent bg-accent-tint px-4 py-3">
          <p className="text-md font-semibold wrap-anywhere tabular-nums">{sentence}</p>
          <p className="mt-0.5 text-sm">
            {approval === null ? t("sendsNow") : t(`why.${approval.by}`, reasonValues(approval, locale))}
          </p>
        </div>
        {isShut(payee) ? <Notice tone="warning">{t("toStands", { standing: payee })}</Notice> : null}
        <PayerNotice account={account} balance={balance} />
        {isFirstUse ? <Notice tone="warning">{t("firstUse")}</Notice> : null}
        <OverNotice amount={review.amount} balance={balance} />
        <ClosingParties closing={review.closing} />
        <WaitingNotice review={review} balance={balance} />
        {window === null ? null : <TedHours window={window} isProposed={approval !== null} />}
        {duplicates.length > 0 ? <TransferDuplicates duplicates={duplicates} amount={amount} repeat={repeat} /> : null}
        <Reviewed review={review} fields={fields} account={account} user={user} />
        <FailureNotice failure={failure} />
        {failure?.isUnanswered === true ? (
          <Link href="/transfers?view=all" prefetch={false} className="inline-block text-accent underline">
            {t("seeTransfers")}
          </Link>
        ) : null}
        <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line pt-4">
          {isSending ? <SlowNote of="unanswered" className="basis-full text-end" /> : null}
          <Button onClick={correct}>{t("back")}</Button>
          {repeat.isBlocked ? null : (
            <Button tone="primary" isBusy={isSending} onClick={confirm}>
              {isSending ? t("sending") : approval !== null ? t("propose") : t("send", { amount })}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}
