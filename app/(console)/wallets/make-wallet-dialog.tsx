"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { Button, buttonClass } from "@/components/ui/button";
import { ChoiceField, RadioTile } from "@/components/ui/choice-field";
import { Dialog } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { GroupedAddress } from "@/components/table/grouped-address";
import type { Failure } from "@/lib/errors/result";
import { formatDateTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { createDepositAddress, createWallet } from "@/lib/wallets/actions";
import { type EarlierAddress, FAMILY_NAMES, type MadeWallet, REFERENCE_MAX } from "@/lib/wallets/view";
import { ShownAddress } from "./shown-address";
import { FamilyName } from "./wallet-words";

type Family = MadeWallet["family"];

/** The wallet may exist, so this form sends nothing more. */
const wasSent = (failure: Failure | null) =>
  failure?.code === "wallet-unconfirmed" || failure?.code === "intent-already-sent";

type FamilyFieldProps = { family: Family | null; error: string | undefined; onChoose: (family: Family) => void };

function FamilyField({ family, error, onChoose }: FamilyFieldProps) {
  const t = useTranslations("walletForm");
  return (
    <ChoiceField legend={t("family")} hint={t("familyHint")} error={error}>
      <div className="grid grid-cols-2 gap-2 medium:grid-cols-3">
        {FAMILY_NAMES.map((name) => (
          <RadioTile
            key={name}
            name="family"
            value={name}
            isChosen={family === name}
            onChoose={() => onChoose(name)}
            className="px-3 py-2"
          >
            <FamilyName family={name} />
          </RadioTile>
        ))}
      </div>
    </ChoiceField>
  );
}

type LabelFieldProps = {
  name: "reference" | "customer";
  hint: string;
  value: string;
  error: string | undefined;
  onType: (text: string) => void;
};

function LabelField({ name, hint, value, error, onType }: LabelFieldProps) {
  const t = useTranslations("walletForm");
  return (
    <TextField
      label={t(name)}
      hint={hint}
      name={name}
      autoComplete="off"
      spellCheck={false}
      maxLength={REFERENCE_MAX}
      value={value}
      error={error}
      onChange={({ target }) => onType(target.value)}
    />
  );
}

type MakeDialogProps = { onClose: () => void };

export function WalletDialog({ onClose }: MakeDialogProps) {
  const t = useTranslations("walletForm");
  const say = useTranslations("wallets");
  const router = useRouter();
  const { pending, failure, run } = useAction(createWallet);
  const [family, setFamily] = useState<Family | null>(null);
  const [isForward, setForward] = useState(false);
  const [customer, setCustomer] = useState("");
  const [isChecked, setChecked] = useState(false);
  const [made, setMade] = useState<MadeWallet | null>(null);
  if (made !== null) return <Made made={made} title={t("walletMade")} onClose={onClose} />;

  const done = (data: MadeWallet) => {
    setMade(data);
    router.refresh();
  };
  const submit = (form: HTMLFormElement, intentId: string) => {
    setChecked(true);
    if (family === null) return form.querySelector<HTMLElement>("[name=family]")?.focus();
    return run({ intentId, family, isForward, customer }, done);
  };
  return (
    <FormDialog
      title={t("walletTitle")}
      description={t("walletBody")}
      submitLabel={t("walletSubmit")}
      isReady={!wasSent(failure)}
      slow="unanswered"
      pending={pending}
      error={failure}
      isWritten={family !== null && !wasSent(failure)}
      onSubmit={submit}
      onClose={onClose}
    >
      <FamilyField
        family={family}
        error={isChecked && family === null ? t("familyFirst") : failure?.fields?.["family"]}
        onChoose={setFamily}
      />
      <ChoiceField legend={say("providerKind")} hint={t("kindHint")}>
        <div className="grid grid-cols-2 gap-2">
          {([false, true] as const).map((one) => (
            <RadioTile
              key={String(one)}
              name="kind"
              value={one ? "forward" : "custody"}
              isChosen={isForward === one}
              onChoose={() => setForward(one)}
              className="px-3 py-2"
            >
              {say(one ? "forward" : "master")}
            </RadioTile>
          ))}
        </div>
      </ChoiceField>
      <LabelField
        name="customer"
        hint={t("userHint")}
        value={customer}
        error={failure?.fields?.["customer"]}
        onType={setCustomer}
      />
    </FormDialog>
  );
}

export function AddressDialog({ onClose }: MakeDialogProps) {
  const t = useTranslations("walletForm");
  const router = useRouter();
  const locale = useLocale();
  const { pending, failure, run } = useAction(createDepositAddress);
  const [family, setFamily] = useState<Family | null>(null);
  const [earlier, setEarlier] = useState<EarlierAddress | null>(null);
  const [reference, setReference] = useState("");
  const [customer, setCustomer] = useState("");
  const [isChecked, setChecked] = useState(false);
  const [made, setMade] = useState<MadeWallet | null>(null);
  if (made !== null) return <Made made={made} title={t("addressMade", { reference })} onClose={onClose} />;

  const isMissing = reference.trim() === "";
  const done = (data: MadeWallet | { earlier: EarlierAddress }) => {
    if ("earlier" in data) return setEarlier(data.earlier);
    setMade(data);
    router.refresh();
  };
  const submit = (form: HTMLFormElement, intentId: string) => {
    setChecked(true);
    if (family === null) return form.querySelector<HTMLElement>("[name=family]")?.focus();
    if (isMissing) return form.querySelector<HTMLElement>("[name=reference]")?.focus();
    return run({ intentId, family, reference, customer, isAnother: earlier !== null }, done);
  };
  return (
    <FormDialog
      title={t("addressTitle")}
      description={t("addressBody")}
      submitLabel={t(earlier === null ? "addressSubmit" : "anotherSubmit")}
      isReady={!wasSent(failure)}
      slow="unanswered"
      pending={pending}
      error={failure}
      isWritten={!isMissing && !wasSent(failure)}
      onSubmit={submit}
      onClose={onClose}
    >
      <FamilyField
        family={family}
        error={isChecked && family === null ? t("familyFirst") : failure?.fields?.["family"]}
        onChoose={(name) => {
          setEarlier(null);
          setFamily(name);
        }}
      />
      <LabelField
        name="reference"
        hint={t("referenceHint")}
        value={reference}
        error={isChecked && isMissing ? t("referenceFirst") : failure?.fields?.["reference"]}
        onType={(text) => {
          setEarlier(null);
          setReference(text);
        }}
      />
      <LabelField
        name="customer"
        hint={t("customerHint")}
        value={customer}
        error={failure?.fields?.["customer"]}
        onType={setCustomer}
      />
      <div aria-live="polite">
        {earlier === null ? null : (
          <Notice tone="warning">
            {t("usedBefore", { time: formatDateTime(earlier.at, locale) })}
            <GroupedAddress address={earlier.address} />
          </Notice>
        )}
      </div>
    </FormDialog>
  );
}

type MadeProps = { made: MadeWallet; title: string; onClose: () => void };

function Made({ made: { family, address }, title, onClose }: MadeProps) {
  const t = useTranslations();
  return (
    <Dialog title={title} description={t("walletForm.madeBody")} closeLabel={t("common.close")} onClose={onClose}>
      <div className="px-5 pb-5">
        {address === null ? (
          <Notice tone="warning">{t("walletForm.madeUnreported")}</Notice>
        ) : (
          <ShownAddress family={family} address={address} />
        )}
      </div>
      <footer className="sticky bottom-0 flex justify-end gap-2 border-t border-line bg-raised px-5 py-3">
        {address === null ? null : (
          <Link
            href={hrefWith("/wallets", { network: "all", search: address })}
            prefetch={false}
            onClick={onClose}
            className={buttonClass("plain")}
          >
            {t("walletForm.seeInList")}
          </Link>
        )}
        <Button tone="primary" onClick={onClose}>
          {t("common.close")}
        </Button>
      </footer>
    </Dialog>
  );
}
