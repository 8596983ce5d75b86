"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { deferred } from "@/components/layout/deferred";
import { EmptyView } from "@/components/layout/empty-view";
import { FailureNotice } from "@/components/layout/failure-text";
import { useAction } from "@/components/session/use-action";
import { Button } from "@/components/ui/button";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import { FieldFrame, TextField, useEarlyChoice, useField } from "@/components/ui/field";
import { exploreProvider } from "@/lib/conformance/actions";
import type { Explorable, ExplorableRead, Explored, Parameter } from "@/lib/conformance/view";

const loadAnswer = () => import("./explored-answer").then((loaded) => loaded.ExploredAnswer);
const ExploredAnswer = deferred(loadAnswer);

type Values = Readonly<Record<string, string>>;

type ChoiceProps = {
  label: string;
  name: string;
  hint?: string | undefined;
  error?: string | undefined;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
};

function Choice({ label, name, hint, error, value, options, onChange }: ChoiceProps) {
  const field = useField({ hint, error });
  useEarlyChoice(field.id, value, onChange);
  return (
    <FieldFrame id={field.id} label={label} hint={hint} error={error}>
      <select
        {...field}
        name={name}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={cn(INPUT_CLASS, "h-9")}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

function useHint(): (parameter: Parameter) => string | undefined {
  const t = useTranslations("explorer.hints");
  return ({ kind, place, least, most }) => {
    if (place === "path") return t("path");
    if (kind === "document" || kind === "date") return t(kind);
    return kind === "number" && least !== null && most !== null ? t("number", { least, most }) : undefined;
  };
}

type ParameterFieldProps = {
  parameter: Parameter;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
};

function ParameterField({ parameter, value, error, onChange }: ParameterFieldProps) {
  const t = useTranslations("explorer");
  const hintOf = useHint();
  const { name, kind, isRequired, options } = parameter;
  const label = isRequired ? name : t("optional", { name });
  if (kind === "choice" || kind === "flag") {
    const known = kind === "choice" ? options : (["true", "false"] as const);
    const choices = [{ value: "", label: t("any") }, ...known.map((one) => ({ value: one, label: one }))];
    return <Choice label={label} name={name} error={error} value={value} options={choices} onChange={onChange} />;
  }
  return (
    <TextField
      label={label}
      name={name}
      value={value}
      error={error}
      {...(hintOf(parameter) !== undefined && { hint: hintOf(parameter) })}
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

type ExplorerProps = { reads: readonly ExplorableRead[]; first: Explorable };

export function Explorer({ reads, first }: ExplorerProps) {
  const t = useTranslations("explorer");
  const [name, setName] = useState(first);
  const [typed, setTyped] = useState<Readonly<Record<string, Values>>>({});
  const [explored, setExplored] = useState<Explored | null>(null);
  const { pending, failure, run } = useAction(exploreProvider);
  const read = reads.find((one) => one.name === name) ?? reads[0];
  if (read === undefined) return null;
  const values = typed[read.name] ?? {};
  const isAsked = failure?.fields === undefined || explored === null;
  return (
    <div className="grid wide:grid-cols-[22rem_minmax(0,1fr)]">
      <form
        method="post"
        noValidate
        autoComplete="off"
        aria-label={t("title")}
        onSubmit={(event) => {
          event.preventDefault();
          void loadAnswer();
          run({ read: read.name, values }, setExplored, () => setExplored(null));
        }}
        className="space-y-4 px-5 py-5 wide:border-r wide:border-line"
      >
        <Choice
          label={t("operation")}
          name="read"
          hint={read.isShown ? t("operationHint") : t("notShown")}
          value={read.name}
          options={reads.map((one) => ({ value: one.name, label: one.operation }))}
          onChange={(chosen) => setName(reads.find((one) => one.name === chosen)?.name ?? name)}
        />
        {read.parameters.length === 0 ? <p className="text-sm text-muted">{t("noParameters")}</p> : null}
        {read.parameters.map((parameter) => (
          <ParameterField
            key={`${read.name} ${parameter.name}`}
            parameter={parameter}
            value={values[parameter.name] ?? ""}
            error={failure?.fields?.[`values.${parameter.name}`]}
            onChange={(value) => setTyped({ ...typed, [read.name]: { ...values, [parameter.name]: value } })}
          />
        ))}
        <FailureNotice failure={failure} />
        <div className="flex items-center gap-3">
          <Button type="submit" tone="primary" isBusy={pending}>
            {t("send")}
          </Button>
          <p className="text-sm text-muted">{t("note")}</p>
        </div>
      </form>
      <section
        aria-label={t("resultTitle")}
        aria-busy={pending}
        aria-live="polite"
        className="min-w-0 max-wide:border-t max-wide:border-line"
      >
        {explored === null ? (
          isAsked ? (
            <EmptyView icon="compass" title={t("nothing")} body={t("nothingBody")} />
          ) : null
        ) : (
          <ExploredAnswer explored={explored} />
        )}
      </section>
    </div>
  );
}
