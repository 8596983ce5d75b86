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
import type { FileWanted } from "@/lib/movements/inputs";
import type { MovementPlan } from "@/lib/movements/view";
import { MOVEMENT_FORMATS, MOVEMENT_SCOPES, type MovementFormat, type MovementScope } from "@/lib/db/enums/movements";
import { formatCount, formatDateTime } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { daysOf, type Period } from "@/lib/text/period";
import { civilDaysAgo } from "@/lib/text/time";
import { writtenDate } from "@/lib/text/typed-date";

type Order = { from: string; to: string; format: MovementFormat; scope: MovementScope; names: string };

const PRESETS = ["yesterday", "month", "last-month", "90"] as const satisfies Period[];

const WITHOUT_WALLETS: readonly MovementScope[] = ["accounts", "chosen"];

function HistoryAges({ plan: { wallets, neverRead, histories } }: { plan: MovementPlan }) {
  const t = useTranslations("movements");
  const locale = useLocale();
  return (
    <>
      <p className="font-medium tabular-nums">{t("costWallets", { wallets })}</p>
      {neverRead === 0 ? null : <p className="text-warning tabular-nums">{t("neverRead", { count: neverRead })}</p>}
      <details className="mt-1 text-sm">
        <summary className="cursor-pointer">{t(wallets > histories.length ? "agesOldest" : "ages")}</summary>
        <ul className="mt-1 break-all text-muted tabular-nums">
          {histories.map(({ label, asOf }) => (
            <li key={label}>
              {`${providerText(label)}: ${asOf === null ? t("ageNever") : formatDateTime(asOf, locale)}`}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

type CostProps = { plan: MovementPlan; format: MovementFormat; isBusy: boolean; onStart: () => void };

function Cost({ plan, format, isBusy, onStart }: CostProps) {
  const t = useTranslations("movements");
  const locale = useLocale();
  const { accounts, wallets, calls, minutes, unknown } = plan;
  if (unknown.length > 0) return <Notice tone="negative">{t("unknown", { names: unknown.join(", ") })}</Notice>;
  if (accounts + wallets === 0) return <Notice tone="warning">{t("noneFits")}</Notice>;
  const isOfx = format === "ofx";
  const hasLeftOut = isOfx && wallets > 0;
  return (
    <>
      {hasLeftOut ? <Notice tone="warning">{t("ofxWallets", { wallets })}</Notice> : null}
      {isOfx && accounts === 0 ? null : (
        <Notice tone="info">
          {accounts === 0 ? null : (
            <p className="font-medium tabular-nums">
              {t("cost", { accounts, calls, minutes: formatCount(minutes, locale) })}
            </p>
          )}
          {wallets === 0 || isOfx ? null : <HistoryAges plan={plan} />}
          <p className="mt-1 text-muted">{t("costNote")}</p>
          <Button tone="primary" className="mt-2" isBusy={isBusy} onClick={onStart}>
            {t("start")}
          </Button>
        </Notice>
      )}
    </>
  );
}

type NamesFieldProps = { hint: string; value: string; error: string | undefined; onChange: (value: string) => void };

function NamesField({ hint, value, error, onChange }: NamesFieldProps) {
  const t = useTranslations("movements");
  const field = useField({ hint, error });
  useEarlyText(field.id, value, ({ target }) => onChange(target.value));
  return (
    <FieldFrame id={field.id} label={t("names")} hint={hint} error={error}>
      <textarea
        {...field}
        name="names"
        rows={3}
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={cn(INPUT_CLASS, "block min-h-20 resize-y py-2 tabular-nums")}
      />
    </FieldFrame>
  );
}

function Presets({ onChoose }: { onChoose: (dates: { from: string; to: string }) => void }) {
  const t = useTranslations("common.period");
  const choose = (period: Period) => {
    const today = civilDaysAgo(0);
    const { from = today, to = today } = daysOf(period);
    onChoose({ from: writtenDate(from), to: writtenDate(to) });
  };
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{t("label")}</legend>
      {PRESETS.map((period) => (
        <Button key={period} size="small" onClick={() => choose(period)}>
          {t(`presets.${period}`)}
        </Button>
      ))}
    </fieldset>
  );
}

/** Says what a file costs before it starts. Any change asks anew. */
export function MovementForm({ wanted, hasWallets }: { wanted: FileWanted; hasWallets: boolean }) {
  const t = useTranslations("movements");
  const refresh = useRefresh();
  const planning = useAction(planMovements);
  const starting = useAction(startMovements);
  const [order, setOrder] = useState<Order>({
    from: writtenDate(wanted.from),
    to: writtenDate(wanted.to),
    format: "csv",
    scope: hasWallets ? wanted.scope : wanted.scope === "chosen" ? "chosen" : "accounts",
    names: wanted.names,
  });
  const [plan, setPlan] = useState<MovementPlan | null>(null);
  const [id, setId] = useState("");
  const [started, setStarted] = useState<{ isThere: boolean } | null>(null);
  const failure = planning.failure ?? starting.failure;
  const change = (changed: Partial<Order>) => {
    setOrder((before) => ({ ...before, ...changed }));
    setPlan(null);
    setStarted(null);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setStarted(null);
    planning.run(order, (planned) => {
      setPlan(planned);
      setId(crypto.randomUUID());
    });
  };
  const start = () =>
    starting.run({ ...order, id }, ({ isThere }) => {
      setPlan(null);
      setStarted({ isThere });
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
      <Presets onChoose={change} />
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
      <ChoiceField legend={t("scope")}>
        <div className="grid gap-2 medium:grid-cols-2">
          {(hasWallets ? MOVEMENT_SCOPES : WITHOUT_WALLETS).map((scope) => (
            <RadioTile
              key={scope}
              name="scope"
              value={scope}
              isChosen={order.scope === scope}
              onChoose={() => change({ scope })}
              className="px-3 py-2.5"
            >
              <span className="font-medium">{t(`scopes.${scope}`)}</span>
            </RadioTile>
          ))}
        </div>
      </ChoiceField>
      {order.scope === "chosen" ? (
        <NamesField
          hint={t(hasWallets ? "namesHintWallets" : "namesHint")}
          value={order.names}
          error={failure?.fields?.["names"]}
          onChange={(names) => change({ names })}
        />
      ) : null}
      <ChoiceField legend={t("format")}>
        <div className="grid gap-2 medium:grid-cols-2">
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
        {plan === null ? null : <Cost plan={plan} format={order.format} isBusy={starting.pending} onStart={start} />}
        {started === null ? null : <Notice tone="positive">{t(started.isThere ? "isThere" : "started")}</Notice>}
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
