import { useLocale } from "next-intl";
import { useState } from "react";
import { DayPicker } from "react-day-picker";
import { enGB } from "react-day-picker/locale/en-GB";
import { ptBR } from "react-day-picker/locale/pt-BR";
import { civilDay } from "@/lib/text/time";

const LOCALES = { "pt-BR": ptBR, en: enGB };

const CLASSES = {
  months: "relative",
  month_caption: "flex h-8 items-center justify-center text-sm font-medium",
  dropdowns: "z-1 flex gap-2",
  dropdown_root: "relative flex items-center rounded px-1 has-focus-visible:outline-2 has-focus-visible:outline-accent",
  dropdown: "absolute inset-0 cursor-pointer bg-raised opacity-0",
  caption_label: "inline-flex items-center gap-1 capitalize",
  nav: "pointer-events-none absolute inset-x-0 top-0 flex justify-between",
  button_previous:
    "pointer-events-auto grid size-8 place-items-center rounded text-muted hover:bg-hover aria-disabled:opacity-40",
  button_next:
    "pointer-events-auto grid size-8 place-items-center rounded text-muted hover:bg-hover aria-disabled:opacity-40",
  chevron: "size-3.5 fill-current",
  month_grid: "mt-1 border-collapse",
  weekday: "size-9 text-xs font-medium text-faint",
  day: "p-0 text-center text-sm",
  day_button:
    "grid size-9 place-items-center rounded tabular-nums hover:bg-hover disabled:text-faint disabled:opacity-40",
  outside: "text-faint",
  today: "font-semibold underline underline-offset-4",
  selected: "rounded bg-accent text-accent-ink [&>button]:hover:bg-accent-strong",
};

/** Days have no time zone: the library expects local midnight. */
function localDay(iso: string): Date {
  const [year = 0, month = 1, day = 1] = iso.split("-").map(Number);
  return new Date(year, month - 1, day);
}

const dayOfDate = (day: Date) =>
  [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

type CalendarProps = {
  selected: string | null;
  first: string;
  last: string;
  onChoose: (day: string) => void;
};

export function Calendar({ selected, first, last, onChoose }: CalendarProps) {
  const locale = useLocale();
  const [today] = useState(() => civilDay(new Date()));
  const weekday = new Intl.DateTimeFormat(locale, { weekday: "short" });
  const shown = selected ?? (today > last ? last : today);
  return (
    <DayPicker
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- a person who opens it continues there
      autoFocus
      mode="single"
      locale={LOCALES[locale]}
      captionLayout="dropdown"
      today={localDay(today)}
      selected={selected === null ? undefined : localDay(selected)}
      defaultMonth={localDay(shown)}
      startMonth={localDay(first)}
      endMonth={localDay(last)}
      disabled={{ before: localDay(first), after: localDay(last) }}
      onDayClick={(day, { disabled }) => !disabled && onChoose(dayOfDate(day))}
      formatters={{ formatWeekdayName: (day) => weekday.format(day).replace(".", "") }}
      classNames={CLASSES}
    />
  );
}
