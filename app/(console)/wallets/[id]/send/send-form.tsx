"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { AssetAmount, useTrouble } from "@/app/(console)/wallets/wallet-words";
import { FormSection } from "@/components/form/fields";
import { useLeftFields } from "@/components/form/left-fields";
import { ReviewedForm } from "@/components/form/reviewed-form";
import { FailureNotice } from "@/components/layout/failure-text";
import { focusNamed, focusWrong, WrongFields } from "@/components/form/wrong-fields";
import { deferred } from "@/components/layout/deferred";
import { ProviderText } from "@/components/layout/provider-text";
import { useUnsaved } from "@/components/session/scope";
import { useAction } from "@/components/session/use-action";
import { GroupedAddress } from "@/components/table/grouped-address";
import { Button } from "@/components/ui/button";
import { ChoiceField, RadioTile } from "@/components/ui/choice-field";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import type { Network } from "@/lib/contract/crypto";
import { formatDateTime } from "@/lib/text/format";
import { shortAddress } from "@/lib/text/short";
import { newIntentId } from "@/lib/text/intent";
import { providerText } from "@/lib/text/provider-word";
import { reviewSend } from "@/lib/wallets/actions";
import type { SendAnswer, SendReview } from "@/lib/wallets/view";
import { choicesOf, type Errors, errorsOf, FIELDS, type KnownNetwork, type SendFields } from "./send-fields";
import { SendOutcome } from "./send-outcome";

const loadReview = () => import("./review-dialog").then((loaded) => loaded.ReviewDialog);
const ReviewDialog = deferred(loadReview);

type SendingWallet = { id: string; address: string; label: string | null };

type BalanceProps = { of: KnownNetwork };

function BalanceAge({ of: { asOf, trouble } }: BalanceProps) {
  const t = useTranslations("sendForm");
  const locale = useLocale();
  const says = useTrouble();
  const read = asOf === null ? t("neverRead") : t("readAt", { time: formatDateTime(asOf, locale) });
  return trouble === null ? (
    <p className="text-sm text-muted">{read}</p>
  ) : (
    <Notice tone="warning">{`${read} ${says(trouble)} ${t("mayHaveChanged")}`}</Notice>
  );
}

type AssetChoiceProps = {
  of: KnownNetwork;
  token: string;
  error: string | undefined;
  onChoose: (token: string) => void;
};

function AssetChoice({ of, token, error, onChoose }: AssetChoiceProps) {
  const t = useTranslations("sendForm");
  return (
    <ChoiceField legend={t("token")} error={error}>
      <div className="grid max-w-2xl gap-2">
        {choicesOf(of).map((choice) => (
          <RadioTile
            key={choice.token}
            name="token"
            value={choice.token}
            isChosen={token === choice.token}
            onChoose={() => onChoose(choice.token)}
            className="flex flex-wrap items-baseline justify-between gap-x-4 px-3 py-2"
          >
            <span className="font-medium">
              {choice.token === "" ? t("coin", { asset: choice.asset }) : <ProviderText text={choice.asset} />}
              {choice.token === "" ? null : (
                <code className="ms-2 font-mono text-sm font-normal text-muted" title={providerText(choice.token)}>
                  <ProviderText text={shortAddress(choice.token)} />
                </code>
              )}
            </span>
            <span className="text-sm text-muted">
              {choice.held === null ? t("balanceUnreported") : <AssetAmount held={choice.held} />}
            </span>
          </RadioTile>
        ))}
      </div>
    </ChoiceField>
  );
}

type NetworkChoiceProps = {
  networks: readonly KnownNetwork[];
  chosen: Network | "";
  error: string | undefined;
  onChoose: (network: Network) => void;
};

function NetworkChoice({ networks, chosen, error, onChoose }: NetworkChoiceProps) {
  const t = useTranslations("sendForm");
  const say = useTranslations("wallets.networks");
  const isOnly = networks.length === 1;
  return (
    <ChoiceField legend={t("network")} hint={isOnly ? undefined : t("networkHint")} error={error}>
      <div className="flex max-w-2xl flex-wrap gap-2">
        {networks.map(({ network }) => (
          <RadioTile
            key={network}
            name="network"
            value={network}
            isChosen={chosen === network}
            onChoose={() => onChoose(network)}
            className="px-3 py-2"
          >
            {say(network)}
          </RadioTile>
        ))}
      </div>
    </ChoiceField>
  );
}

type Ended = SendAnswer | { state: "UNCONFIRMED" };

type SendFormProps = { wallet: SendingWallet; networks: readonly KnownNetwork[]; empty: ReactNode };

/** Shows `empty` when there is nothing to send, but keeps an order that is under way or sent. */
export function SendForm(props: SendFormProps) {
  const [round, setRound] = useState(0);
  return <Round key={round} {...props} onAgain={() => setRound(round + 1)} />;
}

function Round({ wallet, networks, empty, onAgain }: SendFormProps & { onAgain: () => void }) {
  const [wasEmpty] = useState(empty !== null);
  const [ended, setEnded] = useState<Ended | null>(null);
  if (ended !== null) return <SendOutcome walletId={wallet.id} as={ended} onAgain={onAgain} />;
  return wasEmpty && empty !== null ? empty : <Filling wallet={wallet} networks={networks} onEnded={setEnded} />;
}

function useFields(networks: readonly KnownNetwork[]) {
  const only = networks.length === 1 ? networks[0]?.network : undefined;
  const [fields, setFields] = useState<SendFields>({ network: only ?? "", token: "", to: "", amount: "" });
  const [errors, setErrors] = useState<Errors>({});
  const set = (changed: Partial<SendFields>) => {
    setFields((before) => ({ ...before, ...changed }));
    setErrors((before) => errorsOf(Object.fromEntries(Object.entries(before).filter(([name]) => !(name in changed)))));
  };
  const note = (wrong: Readonly<Record<string, string>>) => setErrors((before) => ({ ...before, ...errorsOf(wrong) }));
  return { fields, errors, set, setErrors, note };
}

const fieldOf = (name: string) => FIELDS.find((one) => one === name);

type FillingProps = Omit<SendFormProps, "empty"> & { onEnded: (as: Ended) => void };

function Filling({ wallet, networks, onEnded }: FillingProps) {
  const t = useTranslations("sendForm");
  const element = useRef<HTMLFormElement>(null);
  // A repeat takes effect once, and a refused order may be resent.
  const [intentId] = useState(newIntentId);
  const [attempts, setAttempts] = useState(0);
  const [review, setReview] = useState<SendReview | null>(null);
  const { fields, errors, set, setErrors, note } = useFields(networks);
  const { network, token } = fields;
  const { pending, failure, run } = useAction(reviewSend);
  const typed = { walletId: wallet.id, ...fields };
  const value = (name: string) => fields[fieldOf(name) ?? "to"];
  const checkLeft = useLeftFields({ check: reviewSend, typed: () => typed, value, note });
  useUnsaved(`${fields.to}${fields.amount}`.trim() !== "");

  useEffect(() => {
    if (attempts === 0) return;
    // Waits until the closing dialog has returned the focus.
    const turn = setTimeout(focusWrong, 0, element.current);
    return () => clearTimeout(turn);
  }, [attempts]);

  const refuse = (wrong: Errors) => {
    setReview(null);
    setErrors(wrong);
    setAttempts((times) => times + 1);
  };
  const submit = () => run(typed, setReview, ({ fields: wrong }) => refuse(errorsOf(wrong)));
  const leave = (name: string) => {
    const field = fieldOf(name);
    if (field !== undefined && fields[field].trim() !== "") checkLeft(field);
  };
  const known = networks.find((one) => one.network === network);
  const asset = known === undefined ? undefined : choicesOf(known).find((one) => one.token === token)?.asset;
  const isOfFields = Object.keys(errorsOf(failure?.fields)).length > 0;
  const isUnsettled = failure?.code === "crypto-transfer-unsettled";
  const labels = {
    network: t("network"),
    token: t("token"),
    to: t("to"),
    amount: t("amount", { asset: asset ?? "none" }),
  };
  return (
    <>
      <ReviewedForm
        ref={element}
        summary={
          attempts > 0 ? (
            <WrongFields
              fields={Object.keys(errors)}
              order={FIELDS}
              labelOf={(name) => labels[FIELDS.find((one) => one === name) ?? "to"]}
              onShow={(name) => focusNamed(element.current, name)}
            />
          ) : null
        }
        actions={
          <Button type="submit" tone="primary" isBusy={pending} onPointerEnter={() => void loadReview()}>
            {pending ? t("checking") : t("toReview")}
          </Button>
        }
        onSubmit={submit}
        onLeave={leave}
      >
        <FormSection title={t("from")} lead={t("fromLead")}>
          <div>
            {wallet.label === null ? null : <p className="font-medium">{wallet.label}</p>}
            <GroupedAddress address={wallet.address} />
          </div>
          <NetworkChoice
            networks={networks}
            chosen={network}
            error={errors.network}
            onChoose={(chosen) => chosen !== network && set({ network: chosen, token: "", to: fields.to })}
          />
          {known === undefined ? null : (
            <>
              <AssetChoice
                of={known}
                token={token}
                error={errors.token}
                onChoose={(chosen) => set({ token: chosen })}
              />
              <BalanceAge of={known} />
            </>
          )}
        </FormSection>
        <FormSection title={t("destination")} lead={t("destinationLead")}>
          <TextField
            label={labels.to}
            hint={network === "XRPL" ? `${t("toHint")} ${t("tagHint")}` : t("toHint")}
            name="to"
            autoComplete="off"
            spellCheck={false}
            value={fields.to}
            error={errors.to}
            className="max-w-2xl font-mono"
            onChange={({ target }) => set({ to: target.value })}
          />
          <TextField
            label={labels.amount}
            hint={t("amountHint")}
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            value={fields.amount}
            error={errors.amount}
            className="max-w-60 tabular-nums"
            onChange={({ target }) => set({ amount: target.value })}
          />
        </FormSection>
        <FailureNotice failure={isOfFields ? null : failure} className="mt-4" />
        {isUnsettled ? (
          <Link href="/outcomes" prefetch={false} className="mt-2 inline-block text-accent underline">
            {t("seeUnconfirmed")}
          </Link>
        ) : null}
      </ReviewedForm>
      {review === null ? null : (
        <ReviewDialog
          review={review}
          order={{ ...typed, intentId }}
          onRefused={refuse}
          onEnded={onEnded}
          onClose={() => setReview(null)}
        />
      )}
    </>
  );
}
