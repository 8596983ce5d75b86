"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { SaveBar } from "@/app/(console)/settings/save-bar";
import { Confirmation } from "@/components/layout/confirmation";
import { FailureNotice } from "@/components/layout/failure-text";
import { useUnsaved } from "@/components/session/scope";
import { useAction } from "@/components/session/use-action";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { changeAlarmBounds } from "@/lib/privacy/actions";
import { type AlarmBounds, BOUND_NAMES, BOUND_RANGES, isBound, STANDARD_BOUNDS } from "@/lib/privacy/alarm-view";

type Seen = { version: number; bounds: AlarmBounds };
type Draft = Record<keyof AlarmBounds, string>;

const draftOf = ({ perHour, timesMedian, dayFloor }: AlarmBounds): Draft => ({
  perHour: String(perHour),
  timesMedian: String(timesMedian),
  dayFloor: String(dayFloor),
});

const numberOf = (typed: string) => (/^\d{1,6}$/.test(typed.trim()) ? Number(typed) : Number.NaN);

export function BoundsForm({ view }: { view: Seen }) {
  const t = useTranslations("alarmBounds");
  const router = useRouter();
  const { pending, failure, run } = useAction(changeAlarmBounds);
  // A colleague's save does not change what this person edits.
  const [seen, setSeen] = useState(view);
  const [draft, setDraft] = useState(() => draftOf(view.bounds));
  const [isTried, setTried] = useState(false);
  const [saved, setSaved] = useState<string | null>(null);
  const isChanged = BOUND_NAMES.some((name) => numberOf(draft[name]) !== seen.bounds[name]);
  useUnsaved(isChanged);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (failure?.fields) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [failure]);
  if (!isChanged && view.version > seen.version) startFrom(view);

  function startFrom(from: Seen) {
    setSeen(from);
    setDraft(draftOf(from.bounds));
    setTried(false);
  }
  const isWrong = (name: keyof AlarmBounds) => !isBound(name, numberOf(draft[name]));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    setSaved(null);
    if (!isChanged || BOUND_NAMES.some(isWrong)) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
      return;
    }
    run(
      {
        perHour: numberOf(draft.perHour),
        timesMedian: numberOf(draft.timesMedian),
        dayFloor: numberOf(draft.dayFloor),
        version: seen.version,
      },
      (made) => {
        startFrom(made);
        setSaved(t("saved", { version: made.version }));
        router.refresh();
      },
      // Unsaved text blocks live refreshes, but a refused person needs the current limits.
      ({ kind }) => kind === "conflict" && router.refresh(),
    );
  };

  return (
    <form ref={form} method="post" noValidate onSubmit={submit} className="mt-4">
      {BOUND_NAMES.map((name) => (
        <div key={name} className="flex flex-wrap items-end gap-3 border-t border-line py-4">
          <div className="max-w-md min-w-64 flex-1">
            <TextField
              label={t(`names.${name}`)}
              hint={t(`hints.${name}`, { value: STANDARD_BOUNDS[name] })}
              error={isTried && isWrong(name) ? t("first", BOUND_RANGES[name]) : failure?.fields?.[name]}
              inputMode="numeric"
              autoComplete="off"
              value={draft[name]}
              onChange={({ target }) => setDraft({ ...draft, [name]: target.value })}
              className="tabular-nums"
            />
          </div>
          {numberOf(draft[name]) === STANDARD_BOUNDS[name] ? null : (
            <Button
              size="small"
              aria-label={t("resetOf", { name: t(`names.${name}`) })}
              onClick={() => setDraft({ ...draft, [name]: String(STANDARD_BOUNDS[name]) })}
            >
              {t("reset")}
            </Button>
          )}
        </div>
      ))}
      <FailureNotice failure={failure} className="mb-3" />
      {view.version > seen.version && isChanged ? (
        <Notice tone="warning" live="polite" className="mb-3">
          {t("moved", { version: view.version })}{" "}
          <Button size="small" onClick={() => startFrom(view)}>
            {t("startOver", { version: view.version })}
          </Button>
        </Notice>
      ) : null}
      <SaveBar save={t("save")} isChanged={isChanged} pending={pending} onDiscard={() => startFrom(seen)} />
      <Confirmation onDismiss={() => setSaved(null)}>{saved}</Confirmation>
    </form>
  );
}
