"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { SaveBar } from "@/app/(console)/settings/save-bar";
import { Confirmation } from "@/components/layout/confirmation";
import { useUnsaved } from "@/components/session/scope";
import { FailureNotice } from "@/components/layout/failure-text";
import { Button } from "@/components/ui/button";
import { FieldFrame, TextField, useEarlyChoice, useEarlyText, useField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/session/use-action";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import { newIntentId } from "@/lib/text/intent";
import { OPEN_CASES_MAX, SLA_CLOCKS } from "@/lib/db/enums/kyc";
import { changeRules } from "@/lib/kyc/actions";
import type { RulesView } from "@/lib/kyc/queries";
import { ChecklistRows, type PartProps, type Problems, ReasonRows } from "./rule-lists";
import { areHours, draftOf, isCap, isSame, isWhole, type RulesDraft, rulesOf } from "./rules-draft";

export function RulesForm({ view }: { view: RulesView }) {
  const t = useTranslations("caseRules");
  const router = useRouter();
  const { pending, failure, run } = useAction(changeRules);
  // A colleague's save does not change what this person edits.
  const [seen, setSeen] = useState(view);
  const [draft, setDraft] = useState(() => draftOf(view.rules));
  const [isTried, setTried] = useState(false);
  const [saved, setSaved] = useState<string | null>(null);
  // Any edit makes it a new order.
  const [intentId, setIntentId] = useState(newIntentId);
  const isChanged = !isSame(draft, draftOf(seen.rules));
  useUnsaved(isChanged);
  const form = useRef<HTMLFormElement>(null);
  // The form is taller than a window, so a refusal is scrolled into view.
  useEffect(() => {
    if (failure?.fields) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [failure]);
  if (!isChanged && view.version > seen.version) startFrom(view);

  function startFrom(from: RulesView) {
    setSeen(from);
    setDraft(draftOf(from.rules));
    setTried(false);
  }
  const change = (changes: (now: RulesDraft) => Partial<RulesDraft>) => {
    setDraft((now) => ({ ...now, ...changes(now) }));
    setIntentId(newIntentId());
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    setSaved(null);
    if (!isChanged || !isWhole(draft)) {
      // Waits until the missing fields are marked.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
      return;
    }
    run(
      { ...rulesOf(draft), version: seen.version, intentId },
      (made) => {
        const isProposed = "state" in made;
        startFrom(isProposed ? seen : { ...seen, ...made });
        setSaved(isProposed ? t("proposed") : t("saved", { version: made.version }));
      },
      // Unsaved text blocks live refreshes, but a refused person needs the current rules.
      ({ kind }) => kind === "conflict" && router.refresh(),
    );
  };
  const problems: Problems = (path) => failure?.fields?.[path];

  return (
    <form ref={form} method="post" noValidate onSubmit={submit} className="mt-4">
      <Terms draft={draft} isTried={isTried} problems={problems} onChange={change} />
      <Sharing draft={draft} isTried={isTried} problems={problems} onChange={change} />
      <ReasonRows draft={draft} isTried={isTried} problems={problems} onChange={change} />
      <ChecklistRows draft={draft} isTried={isTried} problems={problems} onChange={change} />
      <Words draft={draft} failure={failure?.fields ?? {}} onChange={change} />
      <FailureNotice failure={failure} className="mb-3" />
      {view.version > seen.version && isChanged ? (
        <Notice tone="warning" live="polite" className="mb-3">
          {t("moved", { version: view.version })}{" "}
          <Button size="small" onClick={() => startFrom(view)}>
            {t("startOver", { version: view.version })}
          </Button>
        </Notice>
      ) : null}
      <SaveBar save={t("save")} isChanged={isChanged} pending={pending} onDiscard={() => startFrom(view)} />
      <Confirmation onDismiss={() => setSaved(null)}>{saved}</Confirmation>
    </form>
  );
}

function Terms({ draft, isTried, problems, onChange }: PartProps) {
  const t = useTranslations("caseRules");
  const hint = t("slaClockHint");
  const clock = useField({ hint });
  const chooseClock = (chosen: string) =>
    onChange(({ slaClock }) => ({ slaClock: SLA_CLOCKS.find((one) => one === chosen) ?? slaClock }));
  useEarlyChoice(clock.id, draft.slaClock, chooseClock);
  const fields = [
    { name: "slaPf", path: "slaHours.PF" },
    { name: "slaPj", path: "slaHours.PJ" },
    { name: "dueSoon", path: "dueSoonHours" },
  ] as const;
  return (
    <fieldset className="border-t border-line py-4">
      <legend className="float-left w-full font-medium">{t("terms")}</legend>
      <p className="clear-both pt-0.5 text-sm text-muted">{t("termsHint")}</p>
      <div className="mt-2 grid gap-4 medium:grid-cols-3">
        {fields.map(({ name, path }) => (
          <TextField
            key={name}
            label={t(name)}
            inputMode="numeric"
            autoComplete="off"
            value={draft[name]}
            error={isTried && !areHours(draft[name]) ? t("hoursFirst") : problems(path)}
            onChange={({ target }) => onChange(() => ({ [name]: target.value }))}
          />
        ))}
      </div>
      <div className="mt-4">
        <FieldFrame id={clock.id} label={t("slaClock")} hint={hint}>
          <select
            {...clock}
            value={draft.slaClock}
            onChange={({ target }) => chooseClock(target.value)}
            className={cn(INPUT_CLASS, "h-9 w-auto")}
          >
            {SLA_CLOCKS.map((one) => (
              <option key={one} value={one}>
                {t(`slaClocks.${one}`)}
              </option>
            ))}
          </select>
        </FieldFrame>
      </div>
    </fieldset>
  );
}

function Sharing({ draft, isTried, problems, onChange }: PartProps) {
  const t = useTranslations("caseRules");
  const { openCases } = draft;
  return (
    <div className="border-t border-line py-4 medium:max-w-sm">
      <TextField
        label={t("sharing")}
        hint={t("sharingHint")}
        inputMode="numeric"
        autoComplete="off"
        value={openCases}
        error={isTried && !isCap(openCases) ? t("capFirst", { max: OPEN_CASES_MAX }) : problems("openCasesMax")}
        onChange={({ target }) => onChange(() => ({ openCases: target.value }))}
      />
    </div>
  );
}

type WordsProps = Pick<PartProps, "draft" | "onChange"> & { failure: Record<string, string> };

function Words({ draft, failure, onChange }: WordsProps) {
  const t = useTranslations("caseRules");
  const [, error] = Object.entries(failure).find(([path]) => path.startsWith("stoppedWords")) ?? [];
  const hint = t("wordsHint");
  const field = useField({ hint, error });
  const write = (words: string) => onChange(() => ({ words }));
  useEarlyText(field.id, draft.words, ({ target }) => write(target.value));
  return (
    <div className="border-t border-line py-4">
      <FieldFrame id={field.id} label={t("words")} hint={hint} error={error}>
        <textarea
          {...field}
          rows={6}
          spellCheck={false}
          value={draft.words}
          onChange={({ target }) => write(target.value)}
          className={cn(INPUT_CLASS, "block max-h-96 min-h-32 resize-y py-2")}
        />
      </FieldFrame>
    </div>
  );
}
