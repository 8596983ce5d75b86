"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { DateField } from "@/components/form/date-field";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { TextField } from "@/components/ui/field";
import type { SumKey } from "@/lib/db/enums/position";
import { setRate } from "@/lib/position/actions";
import { RATE_SOURCE_MAX, readRate } from "@/lib/position/view";
import { formatBrl } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { readDate, writtenDate } from "@/lib/text/typed-date";
import { civilDaysAgo } from "@/lib/text/time";

export type RatedAsset = Pick<SumKey, "network" | "asset" | "token">;

type RateDialogProps = { asset: RatedAsset; day: string; onClose: () => void; onDone: () => void };

export function RateDialog({ asset, day: shownDay, onClose, onDone }: RateDialogProps) {
  const t = useTranslations("position.rate");
  const locale = useLocale();
  const { pending, failure, run } = useAction(setRate);
  const [offered] = useState(() => writtenDate(shownDay));
  const [typed, setTyped] = useState("");
  const [day, setDay] = useState(offered);
  const [source, setSource] = useState("");
  const [isChecked, setChecked] = useState(false);
  const value = readRate(typed, locale);
  const isRead = value !== null && value !== "ambiguous";
  const wrong = value === null ? t("valueFirst") : value === "ambiguous" ? t("valueAmbiguous", { typed }) : undefined;
  const name = providerText(asset.asset);
  const on = readDate(day);
  const isDay = on !== null && on <= civilDaysAgo(0);
  const submit = () => {
    setChecked(true);
    if (!isRead || on === null || !isDay || source.trim() === "") return;
    run({ ...asset, value, day: on, source }, onDone);
  };
  return (
    <FormDialog
      title={t("title", { asset: name })}
      description={t("body")}
      submitLabel={t("submit")}
      pending={pending}
      error={failure}
      isWritten={typed !== "" || source !== "" || day !== offered}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t("value")}
        hint={isRead ? t("valueRead", { asset: name, value: formatBrl(value, locale) }) : t("valueHint")}
        error={(isChecked ? wrong : undefined) ?? failure?.fields?.["value"]}
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <DateField
        name="day"
        label={t("day")}
        hint={t("dayHint")}
        error={isChecked && !isDay ? t("dayFirst") : failure?.fields?.["day"]}
        last={civilDaysAgo(0)}
        value={day}
        onChange={setDay}
      />
      <TextField
        label={t("source")}
        hint={t("sourceHint")}
        error={isChecked && source.trim() === "" ? t("sourceFirst") : failure?.fields?.["source"]}
        maxLength={RATE_SOURCE_MAX}
        autoComplete="off"
        value={source}
        onChange={({ target }) => setSource(target.value)}
      />
    </FormDialog>
  );
}
