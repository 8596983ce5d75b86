"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { type ReactNode, useId, useState } from "react";
import { useTitleOf } from "@/app/(console)/screen-titles";
import { useAnnounce } from "@/components/layout/announcer";
import { FailureNotice } from "@/components/layout/failure-text";
import { useRefresh } from "@/components/live/live-refresh";
import { useAction } from "@/components/session/use-action";
import { Button } from "@/components/ui/button";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import { FieldFrame, TextField, useEarlyChoice, useField } from "@/components/ui/field";
import { playScenario } from "@/lib/lab/actions";
import type { InForce, Lab, LabField, LabOption, LabScenario } from "@/lib/lab/view";
import { formatBrl, formatCrypto, formatDateTime, formatTime } from "@/lib/text/format";

function usePlaying() {
  const announce = useAnnounce();
  const refresh = useRefresh();
  const { pending, failure, run } = useAction(playScenario);
  const play = (input: Parameters<typeof playScenario>[0], said: string) =>
    run(input, () => {
      announce(said);
      refresh();
    });
  return { pending, failure, play };
}

function useOptionWords(): (option: LabOption) => string {
  const locale = useLocale();
  return ({ text, amount, asset, at }) => {
    const sum =
      amount === null
        ? ""
        : asset === "BRL"
          ? formatBrl(amount, locale)
          : `${formatCrypto(amount, locale)} ${asset ?? ""}`;
    return [sum.trim(), text, at === null ? "" : formatDateTime(at, locale)].filter(Boolean).join(" · ");
  };
}

type FieldProps = { field: LabField; value: string; error: string | undefined; onChange: (value: string) => void };

type ChoiceProps = Omit<FieldProps, "field"> & { field: Extract<LabField, { kind: "choice" }> };

function ChoiceOf({ field, value, error, onChange }: ChoiceProps) {
  const t = useTranslations("lab");
  const wordsOf = useOptionWords();
  const own = useField({ hint: undefined, error });
  useEarlyChoice(own.id, value, onChange);
  return (
    <FieldFrame id={own.id} label={t(`fields.${field.name}`)} error={error}>
      <select
        {...own}
        name={field.name}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={cn(INPUT_CLASS, "h-9")}
      >
        {field.options.map((option) => (
          <option key={option.value} value={option.value}>
            {wordsOf(option)}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

function ScenarioField({ field, ...typed }: FieldProps) {
  const t = useTranslations("lab");
  if (field.kind === "choice") return <ChoiceOf field={field} {...typed} />;
  const { value, error, onChange } = typed;
  return (
    <TextField
      label={t(`fields.${field.name}`)}
      name={field.name}
      inputMode={field.kind === "seconds" ? "numeric" : "decimal"}
      value={value}
      error={error}
      {...(field.kind === "seconds" && { hint: t("secondsHint", { most: field.most }) })}
      autoComplete="off"
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

const firstOf = (field: LabField) => (field.kind === "choice" ? (field.options[0]?.value ?? "") : field.first);

const DRILL_SHEET = "/lab/drill";

function Scenario({ scenario, screenOf }: { scenario: LabScenario; screenOf: (href: string) => string }) {
  const t = useTranslations("lab");
  const drill = useTranslations("drill");
  const id = useId();
  const { name, href, fields } = scenario;
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const { pending, failure, play } = usePlaying();
  const isEmpty = fields.some((field) => field.kind === "choice" && field.options.length === 0);
  const chosen = (field: LabField) => {
    const own = typed[field.name];
    const isThere = field.kind !== "choice" || field.options.some(({ value }) => value === own);
    return own === undefined || !isThere ? firstOf(field) : own;
  };
  const words = t(`scenario.${name}.name`);
  return (
    <section aria-labelledby={id} className="grid gap-x-6 gap-y-3 border-t border-line px-5 py-4 medium:grid-cols-2">
      <div>
        <h3 id={id} className="font-medium">
          {words}
        </h3>
        <p className="mt-1">{t(`scenario.${name}.does`)}</p>
        <p className="mt-1 text-sm text-muted">{t(`scenario.${name}.see`)}</p>
        <Link href={href} prefetch={false} className="mt-1 inline-block text-sm text-accent hover:underline">
          {t("see", { screen: href === DRILL_SHEET ? drill("title") : screenOf(href) })}
        </Link>
      </div>
      {isEmpty ? (
        <p className="text-sm text-muted">{t("none")}</p>
      ) : (
        <form
          method="post"
          noValidate
          aria-labelledby={id}
          onSubmit={(event) => {
            event.preventDefault();
            const values = Object.fromEntries(fields.map((field) => [field.name, chosen(field)]));
            play({ scenario: name, values }, t("played", { name: words }));
          }}
          className="min-w-0 space-y-3"
        >
          {fields.map((field) => (
            <ScenarioField
              key={field.name}
              field={field}
              value={chosen(field)}
              error={failure?.fields?.[`values.${field.name}`]}
              onChange={(value) => setTyped({ ...typed, [field.name]: value })}
            />
          ))}
          <Button type="submit" isBusy={pending}>
            {words}
          </Button>
          <FailureNotice failure={failure} />
        </form>
      )}
    </section>
  );
}

function Lasting({ lasting: { name, endedBy, until } }: { lasting: InForce }) {
  const t = useTranslations("lab");
  const locale = useLocale();
  const { pending, failure, play } = usePlaying();
  const words = t(`scenario.${name}.name`);
  return (
    <li className="px-5 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{words}</span>
        <span className="text-sm text-muted tabular-nums">
          {until === null ? t("untilUsed") : t("until", { time: formatTime(until, locale) })}
        </span>
        <Button
          size="small"
          isBusy={pending}
          aria-label={t("endNamed", { name: words })}
          onClick={() => play({ scenario: endedBy, values: {} }, t("ended", { name: words }))}
        >
          {t("end")}
        </Button>
      </div>
      <FailureNotice failure={failure} className="mt-2" />
    </li>
  );
}

function Heading({ id, title, note, children }: { id: string; title: string; note?: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <div className="flex flex-wrap items-baseline gap-x-3 px-5 pt-5 pb-2">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {note === undefined ? null : <span className="text-sm text-muted tabular-nums">{note}</span>}
      </div>
      {children}
    </section>
  );
}

export function LabBench({ lab: { scenarios, inForce, asOf } }: { lab: Lab }) {
  const t = useTranslations("lab");
  const locale = useLocale();
  const titleOf = useTitleOf();
  return (
    <>
      <Heading id="in-force" title={t("inForce")} note={t("asOf", { time: formatTime(asOf, locale) })}>
        {inForce.length === 0 ? (
          <p className="px-5 pb-4 text-muted">{t("nothing")}</p>
        ) : (
          <ul className="pb-3">
            {inForce.map((lasting) => (
              <Lasting key={lasting.name} lasting={lasting} />
            ))}
          </ul>
        )}
      </Heading>
      <Heading id="scenarios" title={t("scenarios")}>
        {scenarios.map((scenario) => (
          <Scenario key={scenario.name} scenario={scenario} screenOf={titleOf} />
        ))}
      </Heading>
    </>
  );
}
