import { Icon, type IconName } from "@/components/ui/icons";
import { getLocale, getTranslations } from "next-intl/server";
import Link from "next/link";
import { PersonName } from "@/components/layout/person-name";
import { RecordSection } from "@/components/layout/record-columns";
import { buttonClass } from "@/components/ui/button";
import { ChoiceLinks } from "@/components/ui/choice-links";
import { KYC_PROCESSES, KYC_STATUSES } from "@/lib/contract/kyc";
import { ONBOARDING_STATUSES } from "@/lib/contract/onboarding";
import { getTimeline, type TimelineEntry } from "@/lib/kyc/queries";
import { TIMELINE_SHOWS, type TimelineShow } from "@/lib/kyc/view";
import { formatDate, formatTime } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";

const TIMELINE_ICONS: Readonly<Record<TimelineEntry["kind"], IconName>> = {
  seen: "circle-dot",
  "record-seen": "circle-dot",
  contradicted: "circle-help",
  agreed: "check",
  moved: "arrow-right",
  started: "play",
  claimed: "hand",
  released: "log-out",
  assigned: "user-round-check",
  shared: "user-round-check",
  "taken-over": "user-round-cog",
  tagged: "tag",
  untagged: "tag",
  noted: "notebook-pen",
  "note-retracted": "undo-2",
  "file-added": "file-plus-2",
  "file-removed": "file-x2",
  decided: "check",
  "decision-refused": "circle-x",
  "decision-unknown": "circle-help",
  "dossier-sealed": "shield-check",
  "link-shown": "qr-code",
  "link-copied": "copy",
  "put-off": "clock",
  "put-off-ended": "undo-2",
  escalated: "arrow-up",
  "escalation-taken": "user-round-cog",
  "escalation-answered": "message-square",
  "escalation-ended": "undo-2",
  proposed: "scale",
  "proposal-authorised": "scale",
  "proposal-refused": "scale",
  "proposal-withdrawn": "scale",
  "proposal-expired": "scale",
  "onboarding-seen": "landmark",
  "onboarding-settled": "landmark",
};

type Say = Awaited<ReturnType<typeof getTranslations<never>>>;
type Said = TimelineEntry["detail"][string] | undefined;

const among = <Word extends string>(words: readonly Word[], said: Said) => words.find((word) => word === said);
/** Unknown words appear as written. */
const raw = (said: Said) => providerText(String(said ?? ""));

function statusWord(say: Say, said: Said): string {
  const status = among(KYC_STATUSES, said);
  return status === undefined ? raw(said) : say(`kyc.status.${status}`);
}

function processWord(say: Say, said: Said): string {
  const process = among(KYC_PROCESSES, said);
  return process === undefined ? raw(said) : say(`kyc.process.${process}`);
}

function onboardingWord(say: Say, said: Said): string {
  const status = among(ONBOARDING_STATUSES, said);
  return status === undefined ? raw(said) : say(`onboarding.status.${status}`);
}

export function sentenceOf(say: Say, { kind, byName, otherName, detail }: Omit<TimelineEntry, "isMine">): string {
  const someone = say("kycTimeline.someone");
  const name = byName || someone;
  if (kind === "moved" && detail["from"] === detail["to"]) {
    return say("kycTimeline.stepped", { process: processWord(say, detail["process"]) });
  }
  return say(`kycTimeline.${kind}`, {
    name,
    other: otherName || someone,
    tag: raw(detail["tag"]),
    process: processWord(say, detail["process"]),
    status:
      kind === "seen" || kind === "record-seen" || kind === "contradicted" || kind === "agreed"
        ? statusWord(say, detail["status"])
        : onboardingWord(say, detail["status"]),
    from: statusWord(say, detail["from"]),
    verdict: statusWord(say, detail["other"]),
    to: statusWord(say, detail["to"]),
    decision: statusWord(say, detail["decision"]),
    outcome: raw(detail["decision"]),
    until: new Date(typeof detail["until"] === "string" ? detail["until"] : 0),
    ending: raw(detail["ending"]),
  });
}

/** Null when there is no target, or when it is this page. */
function entryHref({ detail }: TimelineEntry, mayOpenProposals: boolean): string | null {
  const { approvalId, onboarding } = detail;
  if (typeof onboarding === "string") return `/onboarding/${onboarding}`;
  return typeof approvalId === "string" && mayOpenProposals ? `/approvals/${approvalId}` : null;
}

type TimelineSectionProps = {
  kycUUID: string;
  show: TimelineShow;
  /** Null starts at the newest. */
  before: string | null;
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
  const icon = TIMELINE_ICONS[entry.kind];
  const href = entryHref(entry, mayOpen);
  const you = entry.isMine ? sentenceOf(say, { ...entry, byName: say("kycTimeline.you") }) : null;
  return (
    <li className="flex items-baseline gap-2.5 px-5 py-1">
      <Icon of={icon} size={14} className="shrink-0 translate-y-0.5 text-muted" />
      <p className="min-w-0 flex-1 wrap-anywhere">
        <PersonName name={sentenceOf(say, entry)} you={you} />{" "}
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
