"use client";

import { type ComponentProps, type FocusEvent, type Ref, useEffect, useRef, useState } from "react";
import { TextField, FieldFrame, FieldNotes, type Typed, useEarlyText, useField } from "@/components/ui/field";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import { Icon } from "@/components/ui/icons";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { deferred } from "@/components/layout/deferred";
import { civilDaysAgo } from "@/lib/text/time";
import { readDate, readMinute, typedDate, typedMinute, writtenDate } from "@/lib/text/typed-date";

type MaskedFieldProps = Omit<ComponentProps<typeof TextField>, "onChange" | "onBlur" | "value"> & {
  value: string;
  mask: (typed: string) => string;
  onChange: (typed: string) => void;
};

const masking = (mask: (typed: string) => string, onChange: (typed: string) => void) => ({
  onChange: ({ target }: Typed) => {
    // Editing in the middle must not move the caret.
    const isAtEnd = target.selectionStart === target.value.length;
    onChange(isAtEnd ? mask(target.value) : target.value);
  },
  onBlur: ({ target }: FocusEvent<HTMLInputElement>) => onChange(mask(target.value)),
});

export function MaskedField({ mask, onChange, className, ...field }: MaskedFieldProps) {
  return (
    <TextField
      autoComplete="off"
      spellCheck={false}
      {...field}
      {...masking(mask, onChange)}
      className={cn("tabular-nums", className)}
    />
  );
}

const loadCalendar = () => import("./calendar");
const Calendar = deferred(() => loadCalendar().then((loaded) => loaded.Calendar));
const preload = () => void loadCalendar();

/** Nobody is known to have lived longer. */
const FIRST_DAY = "1904-01-01";
const MAX_DAYS_AHEAD = 366;

const MARGIN_PX = 8;
const WIDTH_PX = 276;
const HEIGHT_PX = 340;

function stand(panel: HTMLElement, { left, right, top, bottom }: DOMRect): void {
  const isBelow = bottom + HEIGHT_PX + MARGIN_PX <= window.innerHeight || top < HEIGHT_PX + MARGIN_PX;
  const start = Math.min(left, window.innerWidth - WIDTH_PX - MARGIN_PX, Math.max(right - WIDTH_PX, left));
  panel.style.left = `${Math.max(MARGIN_PX, start)}px`;
  panel.style.top = `${isBelow ? Math.min(bottom + 4, window.innerHeight - HEIGHT_PX) : top - HEIGHT_PX - 4}px`;
}

type DateInputProps = Pick<
  ComponentProps<"input">,
  "id" | "required" | "onInvalid" | "aria-invalid" | "aria-describedby"
> & {
  ref?: Ref<HTMLInputElement>;
  name: string;
  value: string;
  /** Time for a day chosen in the calendar. */
  clock?: string | undefined;
  last?: string | undefined;
  className: string;
  onChange: (typed: string) => void;
};

function DateInput({ value, clock, last, className, onChange, ...input }: DateInputProps) {
  const t = useTranslations("common");
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLSpanElement>(null);
  const panel = useRef<HTMLDialogElement>(null);
  const hasTime = clock !== undefined;
  const masked = masking(hasTime ? typedMinute : typedDate, onChange);
  useEarlyText(input.id ?? "", value, masked.onChange);
  const choose = (day: string) => {
    const time = readMinute(value)?.slice("yyyy-MM-ddT".length) ?? clock;
    onChange(writtenDate(hasTime ? `${day}T${time}` : day));
    panel.current?.hidePopover();
    box.current?.querySelector("input")?.focus();
  };
  const open = () => {
    const place = box.current;
    const shown = panel.current;
    if (place === null || shown === null) return;
    stand(shown, place.getBoundingClientRect());
    shown.togglePopover();
  };
  return (
    <span ref={box} className={cn("relative flex", className)}>
      <input
        autoComplete="off"
        spellCheck={false}
        inputMode="numeric"
        {...input}
        value={value}
        {...masked}
        className={cn(INPUT_CLASS, "h-full pr-8 tabular-nums")}
      />
      <button
        type="button"
        aria-label={t("openCalendar")}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={open}
        onFocus={preload}
        onPointerEnter={preload}
        className="absolute inset-y-0 right-0 grid w-8 place-items-center rounded text-muted hover:text-ink"
      >
        <Icon of="calendar-days" size={14} />
      </button>
      <dialog
        ref={panel}
        popover="auto"
        aria-label={t("calendar")}
        onToggle={({ newState }) => setOpen(newState === "open")}
        className="fixed inset-auto m-0 rounded-lg bg-raised p-3 text-ink shadow-float"
      >
        {isOpen ? (
          <Calendar
            selected={readDate(value) ?? readMinute(value)?.slice(0, "yyyy-MM-dd".length) ?? null}
            first={FIRST_DAY}
            last={last ?? civilDaysAgo(-MAX_DAYS_AHEAD)}
            onChoose={choose}
          />
        ) : null}
      </dialog>
    </span>
  );
}

type DateFieldProps = Omit<DateInputProps, "className" | "id" | "ref"> & {
  label: string;
  hint: string;
  error: string | undefined;
};

/** Day first in every language. */
export function DateField({ label, hint, error, ...input }: DateFieldProps) {
  const field = useField({ hint, error });
  return (
    <FieldFrame id={field.id} label={label} hint={hint} error={error}>
      <DateInput {...input} {...field} className={cn("h-9", input.clock === undefined ? "w-40" : "w-52")} />
    </FieldFrame>
  );
}

const readDay = (asked: string) => readDate(asked) ?? readMinute(asked);

type DateFilterProps = {
  name: string;
  label: string;
  value: string | undefined;
  clock?: string;
  first?: string | undefined;
  last?: string;
  isRequired?: boolean;
  onRead?: (read: string | null) => void;
};

/** An invalid date stays as typed, with its error, and is not applied. */
export function DateFilter({ name, label, value, clock, first, last, isRequired = false, onRead }: DateFilterProps) {
  const t = useTranslations("common");
  const [typed, setTyped] = useState(writtenDate(value ?? ""));
  const read = (text: string) => (clock === undefined ? readDate(text) : readMinute(text, clock));
  const iso = read(typed);
  const isEarly = iso !== null && first !== undefined && iso < first;
  const [isTried, setTried] = useState(isEarly);
  const input = useRef<HTMLInputElement>(null);
  const isEmpty = typed.trim() === "" && !isRequired;
  const isLate = iso !== null && last !== undefined && iso.slice(0, last.length) > last;
  const problem = isEmpty
    ? ""
    : iso === null
      ? t(clock === undefined ? "badDate" : "badMinute")
      : isLate
        ? t("lateDate")
        : isEarly
          ? t("reversedDates")
          : "";
  const asked = useSearchParams().get(name) ?? "";
  const askedDay = readDay(asked);
  const isAhead =
    last !== undefined && askedDay !== null && askedDay.slice(0, last.length) > last && askedDay !== value;
  const isDropped =
    typed === writtenDate(value ?? "") && asked !== "" && (value === undefined || askedDay === null || isAhead);
  const untaken = isDropped ? t(isAhead ? "aheadDate" : "droppedDate") : undefined;
  const error = isTried && problem !== "" ? problem : untaken;
  const field = useField({ error });

  // Makes the browser block the form, and sends an ISO date.
  useEffect(() => {
    input.current?.setCustomValidity(problem);
    const form = input.current?.form;
    const write = ({ formData }: FormDataEvent) => iso !== null && formData.get(name) !== "" && formData.set(name, iso);
    form?.addEventListener("formdata", write);
    return () => form?.removeEventListener("formdata", write);
  }, [iso, name, problem]);

  return (
    <div
      onBlur={({ currentTarget, relatedTarget }) => {
        if (problem !== "" && !currentTarget.contains(relatedTarget)) setTried(true);
      }}
      className="@max-medium:w-full"
    >
      <span className="flex items-center gap-1.5 text-sm text-muted">
        <label htmlFor={field.id} className="shrink-0 @max-medium:min-w-9">
          {label}
        </label>
        <DateInput
          {...field}
          ref={input}
          name={name}
          value={typed}
          clock={clock}
          last={last}
          onInvalid={(event) => {
            event.preventDefault();
            setTried(true);
            event.currentTarget.focus();
          }}
          onChange={(text) => {
            setTyped(text);
            onRead?.(read(text));
          }}
          className={cn("h-7 text-sm @max-medium:flex-1", clock === undefined ? "w-32" : "w-42")}
        />
      </span>
      <FieldNotes id={field.id} error={error} />
    </div>
  );
}
