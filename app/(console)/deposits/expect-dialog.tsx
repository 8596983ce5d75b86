"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { DateField } from "@/components/form/date-field";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { ChoiceField, RadioTile } from "@/components/ui/choice-field";
import { TextField } from "@/components/ui/field";
import { expectDeposit } from "@/lib/deposits/actions";
import { ASSET_MAX } from "@/lib/deposits/view";
import { readCoins } from "@/lib/text/typed-amount";
import { readDate } from "@/lib/text/typed-date";
import { NETWORK_NAMES, REFERENCE_MAX } from "@/lib/wallets/view";

type ExpectDialogProps = { onClose: () => void; onDone: (outcome: "saved" | "same") => void };

export function ExpectDialog({ onClose, onDone }: ExpectDialogProps) {
  const t = useTranslations("deposits.expect");
  const words = useTranslations("wallets.networks");
  const { pending, failure, run } = useAction(expectDeposit);
  const [reference, setReference] = useState("");
  const [amount, setAmount] = useState("");
  const [asset, setAsset] = useState("");
  const [network, setNetwork] = useState("");
  const [due, setDue] = useState("");
  const [isChecked, setChecked] = useState(false);
  const read = readCoins(amount);
  const wrongAmount =
    read === null ? t("amountFirst") : read === "ambiguous" ? t("amountAmbiguous", { typed: amount }) : undefined;
  const labelOf = (name: string) => {
    const known = NETWORK_NAMES.find((one) => one === name);
    return known === undefined ? t("anyNetwork") : words(known);
  };
  const isDay = due.trim() === "" || readDate(due) !== null;
  const submit = () => {
    setChecked(true);
    if (reference.trim() === "" || wrongAmount !== undefined || !isDay) return;
    run({ reference, amount, asset, network, due: due.trim() === "" ? "" : (readDate(due) ?? due) }, onDone);
  };
  return (
    <FormDialog
      title={t("title")}
      description={t("body")}
      submitLabel={t("submit")}
      pending={pending}
      error={failure}
      isWritten={reference + amount + asset + due !== ""}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t("reference")}
        hint={t("referenceHint")}
        error={isChecked && reference.trim() === "" ? t("referenceFirst") : failure?.fields?.["reference"]}
        maxLength={REFERENCE_MAX}
        autoComplete="off"
        value={reference}
        onChange={({ target }) => setReference(target.value)}
      />
      <TextField
        label={t("amount")}
        hint={t("amountHint")}
        error={(isChecked ? wrongAmount : undefined) ?? failure?.fields?.["amount"]}
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        onChange={({ target }) => setAmount(target.value)}
      />
      <TextField
        label={t("asset")}
        hint={t("assetHint")}
        error={failure?.fields?.["asset"]}
        maxLength={ASSET_MAX}
        autoComplete="off"
        value={asset}
        onChange={({ target }) => setAsset(target.value)}
      />
      <ChoiceField legend={t("network")}>
        <div className="grid gap-2 medium:grid-cols-2">
          {["", ...NETWORK_NAMES].map((name) => (
            <RadioTile
              key={name}
              name="network"
              value={name}
              isChosen={network === name}
              onChoose={() => setNetwork(name)}
              className="px-3 py-2"
            >
              {labelOf(name)}
            </RadioTile>
          ))}
        </div>
      </ChoiceField>
      <DateField
        name="due"
        label={t("due")}
        hint={t("dueHint")}
        error={isChecked && !isDay ? t("dayFirst") : failure?.fields?.["due"]}
        value={due}
        onChange={setDue}
      />
    </FormDialog>
  );
}
