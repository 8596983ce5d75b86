"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { DateField } from "@/components/form/date-field";
import { SaveBar } from "@/app/(console)/settings/save-bar";
import { Confirmation } from "@/components/layout/confirmation";
import { FailureNotice } from "@/components/layout/failure-text";
import { useUnsaved } from "@/components/session/scope";
import { useAction } from "@/components/session/use-action";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Icon } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import type { CalendarView } from "@/lib/calendar/queries";
import { HOLIDAY_NAME_MAX, HOLIDAYS_MAX } from "@/lib/calendar/view";
import { changeCalendar } from "@/lib/kyc/actions";
import { readDate } from "@/lib/text/typed-date";
import {
  type CalendarDraft,
  calendarFrom,
  draftOf,
  type HolidayDraft,
  isSame,
  isWhole,
  newHoliday,
  readClock,
} from "./calendar-draft";

type Seen = Pick<CalendarView, "version" | "calendar">;

type PartProps = {
  draft: CalendarDraft;
  isTried: boolean;
  problems: (path: string) => string | undefined;
  onChange: (changes: Partial<CalendarDraft>) => void;
};

const focusWrong = (form: HTMLFormElement | null) => form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();

export function CalendarForm({ view }: { view: Seen }) {
  const t = useTranslations("calendar");
  const router = useRouter();
  const { pending, failure, run } = useAction(changeCalendar);
  // A colleague's save does not change what this person edits.
  const [seen, setSeen] = useState(view);
  const [draft, setDraft] = useState(() => draftOf(view.calendar));
  const [isTried, setTried] = useState(false);
  const [saved, setSaved] = useState<string | null>(null);
  const isChanged = !isSame(draft, draftOf(seen.calendar));
  useUnsaved(isChanged);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (failure?.fields) focusWrong(form.current);
  }, [failure]);
  if (!isChanged && view.version > seen.version) startFrom(view);

  function startFrom(from: Seen) {
    setSeen(from);
    setDraft(draftOf(from.calendar));
    setTried(false);
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    setSaved(null);
    if (!isChanged || !isWhole(draft)) {
      // Waits until the wrong fields are marked.
      requestAnimationFrame(() => focusWrong(form.current));
      return;
    }
    run(
      { ...calendarFrom(draft), version: seen.version },
      (made) => {
        startFrom(made);
        setSaved(t("saved", { version: made.version }));
        router.refresh();
      },
      // Unsaved text blocks live refreshes, but a refused person needs the current calendar.
      ({ kind }) => kind === "conflict" && router.refresh(),
    );
  };
  const part: PartProps = {
    draft,
    isTried,
    problems: (path) => failure?.fields?.[path],
    onChange: (changes) => setDraft((now) => ({ ...now, ...changes })),
  };

  return (
    <form ref={form} method="post" noValidate onSubmit={submit} className="mt-4">
      <Hours {...part} title={t("work")} hint={t("workHint")} from="opens" until="closes" />
      <Hours {...part} title={t("ted")} hint={t("tedHint")} from="tedOpens" until="tedCloses" />
      <Holidays {...part} />
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

type HoursProps = PartProps & {
  title: string;
  hint: string;
  from: "opens" | "tedOpens";
  until: "closes" | "tedCloses";
};

function Hours({ draft, isTried, problems, onChange, title, hint, from, until }: HoursProps) {
  const t = useTranslations("calendar");
  const fields = [
    { name: from, label: t("from") },
    { name: until, label: t("until") },
  ] as const;
  return (
    <fieldset className="border-t border-line py-4">
      <legend className="float-left w-full font-medium">{title}</legend>
      <p className="clear-both pt-0.5 text-sm text-muted">{hint}</p>
      <div className="mt-2 flex flex-wrap gap-4">
        {fields.map(({ name, label }) => (
          <div key={name} className="w-32">
            <TextField
              label={label}
              autoComplete="off"
              placeholder="09:00"
              value={draft[name]}
              error={isTried && readClock(draft[name]) === null ? t("clockFirst") : problems(name)}
              onChange={(event) => onChange({ [name]: event.target.value })}
              onBlur={() => onChange({ [name]: readClock(draft[name]) ?? draft[name] })}
              className="tabular-nums"
            />
          </div>
        ))}
      </div>
    </fieldset>
  );
}

function Holidays({ draft, isTried, problems, onChange }: PartProps) {
  const t = useTranslations("calendar");
  const id = useId();
  const { holidays } = draft;
  const write = (key: string, changes: Partial<HolidayDraft>) =>
    onChange({ holidays: holidays.map((one) => (one.key === key ? { ...one, ...changes } : one)) });
  const remove = (key: string) => {
    flushSync(() => onChange({ holidays: holidays.filter((one) => one.key !== key) }));
    document.getElementById(`${id}-add`)?.focus();
  };
  const add = () => {
    flushSync(() => onChange({ holidays: [...holidays, newHoliday()] }));
    document.getElementById(id)?.querySelector<HTMLElement>("li:last-of-type input")?.focus();
  };
  return (
    <fieldset id={id} className="border-t border-line py-4">
      <legend className="float-left w-full font-medium">{t("holidays")}</legend>
      <p className="clear-both pt-0.5 text-sm text-muted">{t("holidaysHint")}</p>
      {holidays.length === 0 ? <p className="mt-2 text-muted">{t("noHolidays")}</p> : null}
      <ol className="mt-2 space-y-3">
        {holidays.map((holiday, n) => (
          <li key={holiday.key} className="flex flex-wrap items-start gap-3">
            <DateField
              name={`day-${holiday.key}`}
              label={t("day")}
              hint=""
              value={holiday.day}
              error={isTried && readDate(holiday.day) === null ? t("dayFirst") : problems(`holidays.${n}.day`)}
              onChange={(day) => write(holiday.key, { day })}
            />
            <div className="min-w-48 flex-1">
              <TextField
                label={t("name")}
                autoComplete="off"
                maxLength={HOLIDAY_NAME_MAX}
                value={holiday.name}
                error={isTried && holiday.name.trim() === "" ? t("nameFirst") : problems(`holidays.${n}.name`)}
                onChange={(event) => write(holiday.key, { name: event.target.value })}
              />
            </div>
            <label className="mt-7 flex h-9 items-center gap-2 text-sm">
              <input
                type="checkbox"
                aria-label={t("stopsTedOf", { n: n + 1 })}
                checked={holiday.stopsTed}
                onChange={(event) => write(holiday.key, { stopsTed: event.target.checked })}
              />
              {t("stopsTed")}
            </label>
            <button
              type="button"
              aria-label={t("remove", { name: holiday.name.trim() === "" ? t("nameOf", { n: n + 1 }) : holiday.name })}
              onClick={() => remove(holiday.key)}
              className="mt-7 grid size-9 place-items-center rounded text-muted hover:bg-hover hover:text-ink"
            >
              <Icon of="x" size={14} />
            </button>
          </li>
        ))}
      </ol>
      {holidays.length < HOLIDAYS_MAX ? (
        <Button id={`${id}-add`} size="small" className="mt-2.5" onClick={add}>
          <Icon of="plus" size={14} />
          {t("add")}
        </Button>
      ) : null}
    </fieldset>
  );
}
