import { getLocale, getTranslations } from "next-intl/server";
import Link from "next/link";
import { RecordSection } from "@/components/record-columns";
import { buttonClass } from "@/components/ui/button";
import { ChoiceLinks } from "@/components/ui/choice-links";
import { formatDate, formatTime } from "@/lib/format";
import { getTimeline, type TimelineEntry } from "@/lib/kyc/queries";
import { TIMELINE_SHOWS, type TimelineShow } from "@/lib/kyc-timeline";
import { TIMELINE_ICONS } from "./timeline-icons";
import { entryHref, sentenceOf } from "./timeline-words";

type TimelineSectionProps = {
  kycUUID: string;
  show: TimelineShow;
  /** Where the entries in sight begin; null: with the newest. */
  before: string | null;
  /** The case's own address with another part of its timeline. */
  hrefOf: (changes: { show?: TimelineShow; older?: string }) => string;
  mayOpenProposals: boolean;
};

type Day = { day: string; entries: TimelineEntry[] };

function byDay(entries: readonly TimelineEntry[], dayOf: (iso: string) => string): Day[] {
  const days: Day[] = [];
  for (const entry of entries) {
    const day = dayOf(entry.at);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}

/** What happened to the case, newest first, by day. */
export async function TimelineSection({ kycUUID, show, before, hrefOf, mayOpenProposals }: TimelineSectionProps) {
  const [found, t, locale] = await Promise.all([
    getTimeline(kycUUID, { show, before }),
    getTranslations("kycTimeline"),
    getLocale(),
  ]);
  const { entries, older } = found ?? { entries: [], older: null };
  const choices = TIMELINE_SHOWS.map((one) => ({
    href: hrefOf({ show: one }),
    label: t(`shows.${one}`),
    isCurrent: one === show,
  }));
  return (
    <RecordSection id="timeline" title={t("title")}>
      <div className="px-5 pb-3">
        <ChoiceLinks label={t("show")} choices={choices} />
      </div>
      {entries.length === 0 ? <p className="border-y border-line px-5 py-3 text-muted">{t("none")}</p> : null}
      {byDay(entries, (iso) => formatDate(iso, locale)).map(({ day, entries: ofDay }) => (
        <section key={day} aria-label={day}>
          <h3 className="border-t border-line px-5 pt-2.5 pb-1 text-sm text-muted tabular-nums">{day}</h3>
          <ol className="pb-2">
            {ofDay.map((entry) => (
              <Entry key={entry.key} entry={entry} time={formatTime(entry.at, locale)} mayOpen={mayOpenProposals} />
            ))}
          </ol>
        </section>
      ))}
      {older === null && before === null ? null : (
        <nav aria-label={t("title")} className="flex justify-end gap-2 border-t border-line px-5 pt-3">
          {before === null ? null : (
            <Link href={hrefOf({ show })} prefetch={false} scroll={false} className={buttonClass("quiet", "small")}>
              {t("newest")}
            </Link>
          )}
          {older === null ? null : (
            <Link
              href={hrefOf({ show, older })}
              prefetch={false}
              scroll={false}
              className={buttonClass("plain", "small")}
            >
              {t("older")}
            </Link>
          )}
        </nav>
      )}
    </RecordSection>
  );
}

type EntryProps = { entry: TimelineEntry; time: string; mayOpen: boolean };

async function Entry({ entry, time, mayOpen }: EntryProps) {
  const say = await getTranslations();
  const Icon = TIMELINE_ICONS[entry.kind];
  const href = entryHref(entry, mayOpen);
  return (
    <li className="flex items-baseline gap-2.5 px-5 py-1">
      <Icon aria-hidden size={14} className="shrink-0 translate-y-0.5 text-muted" />
      <p className="min-w-0 flex-1 wrap-anywhere">
        <bdi>{sentenceOf(say, entry)}</bdi>{" "}
        {href === null ? null : (
          <Link href={href} prefetch={false} className="text-accent hover:underline">
            {say("kycTimeline.open")}
          </Link>
        )}
      </p>
      <time dateTime={entry.at} className="shrink-0 text-sm text-muted tabular-nums">
        {time}
      </time>
    </li>
  );
}
