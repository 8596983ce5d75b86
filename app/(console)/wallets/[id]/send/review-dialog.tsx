"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { Alike } from "@/app/(console)/approvals/shown-value";
import { DuplicateLine, PossibleDuplicates, Tick } from "@/app/(console)/write-checks/possible-duplicates";
import { type Repeat, useRepeat } from "@/app/(console)/write-checks/use-repeat";
import { SendHints } from "@/app/(console)/wallets/send-hints";
import { WalletOwner } from "@/app/(console)/wallets/wallet-owner";
import { FormDialog } from "@/components/form/form-dialog";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { ProviderText } from "@/components/layout/provider-text";
import { useAction } from "@/components/session/use-action";
import { useNetworkNames } from "@/app/(console)/wallets/network-names";
import { GroupedAddress } from "@/components/table/grouped-address";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import type { Failure } from "@/lib/errors/result";
import { formatCrypto, formatDateTime } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { sendCoins } from "@/lib/wallets/actions";
import { isMiddleSix, middleOf, REPEAT_DAYS, type SendAnswer, type SendReview } from "@/lib/wallets/view";
import { type Errors, errorsOf } from "./send-fields";

/** It may have been sent, so nothing is sent again from here. */
const isUnconfirmed = ({ code }: Failure) => code === "crypto-transfer-unconfirmed" || code === "intent-already-sent";

function Facts({ review }: { review: SendReview }) {
  const t = useTranslations("sendForm");
  const say = useTranslations("wallets.networks");
  const locale = useLocale();
  const { network, amount, asset, tokenAddress, from, to, ours } = review;
  return (
    <div className="-mx-5">
      <DescriptionList>
        <Described name={t("sum")}>
          <span className="font-medium">
            <ProviderText text={`${formatCrypto(amount, locale)} ${asset}`} />
          </span>
        </Described>
        {tokenAddress === null ? null : (
          <Described name={t("contract")}>
            <GroupedAddress address={tokenAddress} />
          </Described>
        )}
        <Described name={t("network")}>{say(network)}</Described>
        <Described name={t("from")}>
          <GroupedAddress address={from} />
        </Described>
        <Described name={t("destination")}>
          <GroupedAddress address={to} marked={middleOf(to)} />
          {ours === null ? null : <WalletOwner ours={ours} />}
        </Described>
      </DescriptionList>
    </div>
  );
}

type RepeatsProps = { review: SendReview; sum: string; repeat: Repeat };

function Repeats({ review: { repeats }, sum, repeat }: RepeatsProps) {
  const t = useTranslations("sendForm");
  const locale = useLocale();
  if (repeats.length === 0) return null;
  return (
    <PossibleDuplicates
      words="sendForm"
      title={t("likeTitle", { days: REPEAT_DAYS })}
      again={t("again", { amount: sum })}
      repeat={repeat}
    >
      {repeats.map(({ ref, at, byName, txHash, link }) => {
        const time = formatDateTime(at, locale);
        return (
          <DuplicateLine
            key={ref}
            words="sendForm"
            text={byName === null ? t("likeOnChain", { time }) : t("likeLine", { time, name: byName })}
            status={
              txHash === null ? null : (
                <code className="basis-full font-mono text-sm wrap-anywhere">
                  <ProviderText text={txHash} />
                </code>
              )
            }
            href={link?.href ?? null}
          />
        );
      })}
    </PossibleDuplicates>
  );
}

type LookAlikesProps = { review: SendReview; repeat: Repeat };

function LookAlikes({ review: { to, alike }, repeat }: LookAlikesProps) {
  const t = useTranslations("sendForm");
  const { tick, isTicked, isMissing, setTicked } = repeat;
  return (
    <Notice tone="warning" className="px-4 py-3">
      <p className="font-medium">{t("alike", { count: alike.length })}</p>
      <p className="mt-2 text-sm text-muted">{t("destination")}</p>
      <GroupedAddress address={to} />
      <p className="mt-2 text-sm text-muted">{t("alikeTo")}</p>
      <Alike found={alike} />
      <Tick
        tick={tick}
        label={t("seenAlike")}
        isTicked={isTicked}
        error={isMissing ? t("seenAlikeFirst") : undefined}
        onTick={setTicked}
      />
    </Notice>
  );
}

type ReviewDialogProps = {
  review: SendReview;
  order: Omit<Parameters<typeof sendCoins>[0], "middleSix" | "seen" | "seenAlike">;
  /** Passes errors of fields in the form behind. */
  onRefused: (wrong: Errors) => void;
  onEnded: (as: SendAnswer | { state: "UNCONFIRMED" }) => void;
  onClose: () => void;
};

export function ReviewDialog({ review, order, onRefused, onEnded, onClose }: ReviewDialogProps) {
  const t = useTranslations("sendForm");
  const fieldText = useTranslations("fields");
  const networks = useTranslations("wallets.networks");
  const namesOf = useNetworkNames();
  const locale = useLocale();
  const { pending, failure, run } = useAction(sendCoins);
  const [middleSix, setMiddleSix] = useState("");
  const [isChecked, setChecked] = useState(false);
  const { network, amount, asset, to, over, isFirstUse, elsewhere, needsApproval, repeats, alike } = review;
  const repeat = useRepeat(repeats.map(({ ref }) => ({ ref, isUnconfirmed: false })));
  const { from, to: end } = middleOf(to);
  const isRight = isMiddleSix(to, middleSix);
  const sum = providerText(`${formatCrypto(amount, locale)} ${asset}`);
  const likeness = useRepeat(alike.map(({ address }) => ({ ref: address, isUnconfirmed: false })));
  const submit = (form: HTMLFormElement) => {
    setChecked(true);
    if (!repeat.isAgreed()) return undefined;
    if (!isRight) return form.querySelector<HTMLElement>("[name=middleSix]")?.focus();
    if (!likeness.isAgreed()) return undefined;
    return run({ ...order, middleSix, seen: repeat.seen, seenAlike: likeness.seen }, onEnded, (failed) => {
      if (isUnconfirmed(failed)) return onEnded({ state: "UNCONFIRMED" });
      const wrong = errorsOf(failed.fields);
      if (Object.keys(wrong).length > 0) onRefused(wrong);
    });
  };
  return (
    <FormDialog
      title={t("reviewTitle")}
      description={needsApproval ? t("proposes") : t("sendsNow")}
      submitLabel={needsApproval ? t("propose") : t("send", { amount: sum })}
      slow={needsApproval ? undefined : "unanswered"}
      pending={pending}
      error={failure}
      isWritten={false}
      onSubmit={submit}
      onClose={onClose}
    >
      <Facts review={review} />
      <Notice tone="warning">{t("irreversible")}</Notice>
      <Repeats review={review} sum={sum} repeat={repeat} />
      {isFirstUse ? (
        <Notice tone="warning">{t("firstUse", { network: networks(network), elsewhere: namesOf(elsewhere) })}</Notice>
      ) : (
        <p className="text-sm text-muted">{t("knownUse", { network: networks(network) })}</p>
      )}
      {alike.length === 0 ? null : <LookAlikes review={review} repeat={likeness} />}
      <SendHints hints={review.hints} asset={asset} />
      {over === null ? null : (
        <Notice tone="warning">
          {t("over", {
            balance: providerText(`${formatCrypto(over.balance, locale)} ${asset}`),
            time: formatDateTime(over.asOf, locale),
          })}
        </Notice>
      )}
      <TextField
        label={t("middleSix", { from: from + 1, to: end })}
        hint={t("middleSixHint")}
        name="middleSix"
        autoComplete="off"
        spellCheck={false}
        maxLength={20}
        value={middleSix}
        error={isChecked && !isRight ? fieldText("middle-six") : undefined}
        className="max-w-32 font-mono"
        onChange={({ target }) => setMiddleSix(target.value)}
      />
    </FormDialog>
  );
}
