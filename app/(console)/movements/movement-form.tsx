"use client";

import { useLocale, useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { DateField } from "@/components/form/date-field";
import { useAction } from "@/components/session/use-action";
import { FailureText } from "@/components/layout/failure-text";
import { useRefresh } from "@/components/live/live-refresh";
import { Button } from "@/components/ui/button";
import { ChoiceField, RadioTile } from "@/components/ui/choice-field";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import { FieldFrame, useEarlyText, useField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { planMovements, startMovements } from "@/lib/movements/actions";
import type { MovementPlan } from "@/lib/movements/view";
import { MOVEMENT_FORMATS, type MovementFormat } from "@/lib/db/enums/movements";
import { formatCount } from "@/lib/text/format";
import { civilDaysAgo } from "@/lib/text/time";
import { writtenDate } from "@/lib/text/typed";

type Order = { from: string; to: string; format: MovementFormat; accounts: string };

type CostProps = { plan: MovementPlan; isBusy: boolean; onStart: () => void };

function Cost({ plan: { accounts, calls, minutes, unknown }, isBusy, onStart }: CostProps) {
  const t = useTranslations("movements");
  const locale = useLocale();
  if (unknown.length > 0) return <Notice tone="negative">{t("unknown", { names: unknown.join(", ") })}</Notice>;
  if (accounts === 0) return <Notice tone="warning">{t("noneFits")}</Notice>;
  return (
    <Notice tone="info">
      <p className="font-medium tabular-nums">
        {t("cost", { accounts, calls, minutes: formatCount(minutes, locale) })}
      </p>
      <p className="mt-1 text-muted">{t("costNote")}</p>
      <Button tone="primary" className="mt-2" isBusy={isBusy} onClick={onStart}>
        {t("start")}
      </Button>
    </Notice>
  );
}

type AccountsFieldProps = { value: string; error: string | undefined; onChange: (value: string) => void };

function AccountsField({ value, error, onChange }: AccountsFieldProps) {
  const t = useTranslations("movements");
  const hint = t("accountsHint");
  const field = useField({ hint, error });
  useEarlyText(field.id, value, ({ target }) => onChange(target.value));
  return (
    <FieldFrame id={field.id} label={t("accounts")} hint={hint} error={error}>
      <textarea
        {...field}
        name="accounts"
        rows={3}
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={cn(INPUT_CLASS, "block min-h-20 resize-y py-2 tabular-nums")}
      />
    </FieldFrame>
  );
}

/** Says what a file costs before it starts. Any change asks anew. */
export function MovementForm({ from, to }: { from: string; to: string }) {
  const t = useTranslations("movements");
  const refresh = useRefresh();
  const planning = useAction(planMovements);
  const starting = useAction(startMovements);
  const [order, setOrder] = useState<Order>({
    from: writtenDate(from),
    to: writtenDate(to),
    format: "csv",
    accounts: "",
  });
  const [plan, setPlan] = useState<MovementPlan | null>(null);
  const [id, setId] = useState("");
  const [isStarted, setStarted] = useState(false);
  const failure = planning.failure ?? starting.failure;
  const change = (changed: Partial<Order>) => {
    setOrder((before) => ({ ...before, ...changed }));
    setPlan(null);
    setStarted(false);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setStarted(false);
    planning.run(order, (planned) => {
      setPlan(planned);
      setId(crypto.randomUUID());
    });
  };
  const start = () =>
    starting.run({ ...order, id }, () => {
      setPlan(null);
      setStarted(true);
      refresh();
    });
  return (
    <form
      method="post"
      noValidate
      onSubmit={submit}
      aria-label={t("form")}
      className="max-w-2xl space-y-4 px-5 pt-2 pb-6"
    >
      <div className="flex flex-wrap gap-4">
        <DateField
          label={t("from")}
          hint={t("dateHint")}
          name="from"
          value={order.from}
          error={failure?.fields?.["from"]}
          last={civilDaysAgo(0)}
          onChange={(typed) => change({ from: typed })}
        />
        <DateField
          label={t("to")}
          hint={t("dateHint")}
          name="to"
          value={order.to}
          error={failure?.fields?.["to"]}
          last={civilDaysAgo(0)}
          onChange={(typed) => change({ to: typed })}
        />
      </div>
      <AccountsField
        value={order.accounts}
        error={failure?.fields?.["accounts"]}
        onChange={(accounts) => change({ accounts })}
      />
      <ChoiceField legend={t("format")}>
        <div className="grid gap-2 sm:grid-cols-2">
          {MOVEMENT_FORMATS.map((format) => (
            <RadioTile
              key={format}
              name="format"
              value={format}
              isChosen={order.format === format}
              onChoose={() => change({ format })}
              className="px-3 py-2.5"
            >
              <span className="block font-medium">{t(`formats.${format}`)}</span>
              <span className="block text-sm text-muted">{t(`formatHints.${format}`)}</span>
            </RadioTile>
          ))}
        </div>
      </ChoiceField>
      <Button type="submit" tone={plan === null ? "primary" : "plain"} isBusy={planning.pending}>
        {t("plan")}
      </Button>
      <div aria-live="polite">
        {plan === null ? null : <Cost plan={plan} isBusy={starting.pending} onStart={start} />}
        {isStarted ? <Notice tone="positive">{t("started")}</Notice> : null}
      </div>
      <div aria-live="assertive">
        {failure === null || failure.fields !== undefined ? null : (
          <Notice tone="negative">
            <FailureText failure={failure} />
          </Notice>
        )}
      </div>
    </form>
  );
}
