import { useLocale, useTranslations } from "next-intl";
import { type Columns, DataTable } from "@/components/table/data-table";
import { cn } from "@/components/ui/cn";
import { formatCount, formatDate } from "@/lib/text/format";
import type { EventDay } from "@/lib/webhooks/missing-view";
import type { WebhookEvent } from "@/lib/contract/webhook-events";
import { EventWord } from "@/app/(console)/webhooks/event-words";

const COUNTS = ["onTime", "late", "twice", "never", "awaited", "badSignature"] as const;
type CountName = (typeof COUNTS)[number];

/** `event` null: of no type that could be believed. A count that is absent says nothing about it. */
type DayRow = { day: string; isFirst: boolean; event: WebhookEvent | null } & Partial<Record<CountName, number>>;

function rowsOf({ day, events, badSignature }: EventDay): DayRow[] {
  const typed = events.map((counts, at): DayRow => ({ day, isFirst: at === 0, ...counts }));
  const untyped: DayRow = { day, isFirst: typed.length === 0, event: null, badSignature };
  return badSignature === 0 ? typed : [...typed, untyped];
}

const TONES: Partial<Record<CountName, string>> = {
  never: "font-medium text-negative",
  badSignature: "font-medium text-negative",
  late: "text-warning",
};

function Count({ of, name }: { of: number | undefined; name: CountName }) {
  const locale = useLocale();
  if (of === undefined) return <span className="text-faint">–</span>;
  return <span className={cn(of > 0 ? TONES[name] : "text-faint")}>{formatCount(of, locale)}</span>;
}

export function EventDays({ days }: { days: readonly EventDay[] }) {
  const t = useTranslations("missing.byDay");
  const locale = useLocale();
  const count = (name: CountName): Columns<DayRow>[string] => ({
    header: t(`columns.${name}`),
    width: "text",
    th: "w-[10%] whitespace-normal!",
    align: "end",
    td: "tabular-nums",
    cell: (row) => <Count of={row[name]} name={name} />,
  });
  const columns: Columns<DayRow> = {
    day: {
      header: t("columns.day"),
      width: "text",
      th: "w-30",
      td: "tabular-nums",
      cell: ({ day, isFirst }) => <span className={cn(!isFirst && "sr-only")}>{formatDate(day, locale)}</span>,
    },
    event: {
      header: t("columns.event"),
      width: "text",
      td: "py-1.5 whitespace-normal!",
      cell: ({ event }) =>
        event === null ? <span className="text-muted">{t("untyped")}</span> : <EventWord event={event} />,
    },
    onTime: count("onTime"),
    late: count("late"),
    twice: count("twice"),
    never: count("never"),
    awaited: count("awaited"),
    badSignature: count("badSignature"),
  };
  return (
    <section aria-labelledby="by-day" className="border-t border-line pb-4">
      <div className="px-5 pt-4 pb-2">
        <h2 id="by-day" className="font-semibold">
          {t("title")}
        </h2>
        <p className="text-sm text-muted">{days.length === 0 ? t("nothing") : t("note")}</p>
      </div>
      {days.length === 0 ? null : (
        <DataTable
          label={t("title")}
          columns={columns}
          rows={days.flatMap(rowsOf)}
          keyOf={({ day, event }) => `${day} ${event ?? ""}`}
          narrow="scroll"
        />
      )}
    </section>
  );
}
