import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useFailureWords } from "@/components/layout/failure-words";
import { cn } from "@/components/ui/cn";
import type { ApprovalList } from "@/lib/approvals/queries";
import type { CallList } from "@/lib/calls/queries";
import { type IncidentRow, type Judged, watchOfIncidents } from "@/lib/health/view";
import type { KycQueue } from "@/lib/kyc/queries";
import { type CaseCount, countText } from "@/lib/kyc/view";
import type { OnboardingQueue } from "@/lib/onboarding/queries";
import type { UnknownOutcomes } from "@/lib/outcomes/queries";
import { HELD_COINS, isAnyUnderWay } from "@/lib/outcomes/view";
import type { StaffList } from "@/lib/staff/queries";
import { viewOf } from "@/lib/staff/view";
import { formatAsOf, formatCount } from "@/lib/text/format";
import { countKnown, type Fresh, hrefWith } from "@/lib/text/page";
import { civilMinute } from "@/lib/text/time";
import type { TransferList } from "@/lib/transfers/queries";
import type { WalletList } from "@/lib/wallets/queries";
import type { SendList } from "@/lib/wallets/sends-view";
import type { ReceivedList } from "@/lib/webhooks/queries";

type Cases = Fresh & Pick<KycQueue, "counts" | "views">;

/** What each home reads; null for areas that it does not show. */
type HomeAreas = {
  cases: Cases | null;
  onboardings: (Fresh & Pick<OnboardingQueue, "counts">) | null;
  transfers: Pick<TransferList, "counts"> | null;
  /** Those that are held. */
  heldCoins: Pick<SendList, "counts"> | null;
  approvals: Pick<ApprovalList, "counts" | "ownWaiting"> | null;
  outcomes: UnknownOutcomes | null;
  wallets: (Fresh & Pick<WalletList, "counts" | "extent">) | null;
  calls: Pick<CallList, "lastHour" | "asOf"> | null;
  received: Pick<ReceivedList, "counts" | "refused"> | null;
  staff: Pick<StaffList, "rows"> | null;
  health: { open: readonly Pick<IncidentRow, "openedAt">[]; judged: Pick<Judged, "watches"> } | null;
};

export type CountName =
  | "ownCases"
  | "dueCases"
  | "toDecide"
  | "refused"
  | "toAuthorise"
  | "outcomes"
  | "held"
  | "heldCoins"
  | "wallets"
  | "failedCalls"
  | "needsAttention"
  | "invited"
  | "incidents";

type CountText = { text: string; count: number; note: string };
type Tile = {
  name: CountName;
  href: string;
  count: string;
  note: string;
  /** Link for a note that counts another list. */
  noteHref?: string;
  isUnwell?: boolean;
};

const HOUR_MS = 3_600_000;

/** An unread area shows why instead of a count; a partial one says "at least". */
function useCounted() {
  const common = useTranslations("common");
  const queue = useTranslations("kycQueue");
  const locale = useLocale();
  const wordsOf = useFailureWords();
  return (fresh: Fresh, { text, count, note }: CountText) => {
    const known = countKnown(text, count, fresh);
    const { readSoFar = null } = fresh;
    if (fresh.asOf !== null && readSoFar !== null) {
      return { count: known ?? common("none"), note: queue("readSoFar", { count: formatCount(readSoFar, locale) }) };
    }
    if (known !== undefined) return { count: known, note };
    return { count: common("none"), note: fresh.failure ? wordsOf(fresh.failure).title : common("neverUpdated") };
  };
}

function useCaseTiles(cases: Cases | null): Tile[] {
  const t = useTranslations("home");
  const locale = useLocale();
  const counted = useCounted();
  if (cases === null) return [];
  const of = ({ cases: count, ...rest }: CaseCount, note: string) =>
    counted(cases, { text: countText({ cases: count, ...rest }, locale), count, note });
  const { PENDING: toDecide, PROCESSING: inAnalysis, open } = cases.counts;
  // Cases with an unknown status: they may or may not be under review.
  const otherwise = open.cases - toDecide.cases - inAnalysis.cases;
  const underReview = [
    ...(otherwise > 0 && inAnalysis.cases === 0 ? [] : [t("inAnalysis", { count: inAnalysis.cases })]),
    ...(otherwise > 0 ? [t("otherwise", { count: otherwise })] : []),
  ];
  return [
    { name: "ownCases", href: "/kyc?view=mine", ...of(cases.views.mine, t("ownCasesHint")) },
    { name: "dueCases", href: "/kyc?view=due", ...of(cases.views.due, t("dueCasesHint")) },
    { name: "toDecide", href: "/kyc?status=PENDING", ...of(toDecide, underReview.join(" · ")) },
  ];
}

/** Problems that an administrator handles. */
function useUnwellTiles({ calls, received, staff }: HomeAreas): Tile[] {
  const t = useTranslations("home");
  const locale = useLocale();
  const text = (count: number) => formatCount(count, locale);
  const invited = staff?.rows.filter(({ state }) => viewOf(state) === "invited") ?? [];
  const expired = invited.filter(({ state }) => state === "expired").length;
  const tiles: (Tile | null)[] = [
    calls && {
      name: "failedCalls",
      href: hrefWith("/calls", { view: "failed", from: civilMinute(new Date(Date.parse(calls.asOf) - HOUR_MS)) }),
      count: text(calls.lastHour.failed),
      note: t("failedCallsHint", { count: calls.lastHour.calls }),
      isUnwell: calls.lastHour.failed > 0,
    },
    received && {
      name: "needsAttention",
      href: "/webhooks?view=needs-attention",
      count: text(received.counts["needs-attention"]),
      note: t("needsAttentionHint", { count: received.refused.count }),
      ...(received.refused.count > 0 && { noteHref: "/webhooks" }),
      isUnwell: received.counts["needs-attention"] > 0,
    },
    staff && {
      name: "invited",
      href: "/staff?state=invited",
      count: text(invited.length),
      note: t("invitedHint", { count: expired }),
      isUnwell: expired > 0,
    },
  ];
  return tiles.flatMap((tile) => tile ?? []);
}

/** While nobody looks for incidents, none open says nothing. */
function useIncidentTile(health: HomeAreas["health"]): Tile | null {
  const t = useTranslations();
  const locale = useLocale();
  if (health === null) return null;
  const [oldest] = health.open.map(({ openedAt }) => openedAt).toSorted();
  const tile = { name: "incidents", href: "/health" } as const;
  if (oldest !== undefined) {
    const note = t("home.incidentsHint", { time: formatAsOf(oldest, locale) });
    return { ...tile, count: formatCount(health.open.length, locale), note, isUnwell: true };
  }
  const watched = watchOfIncidents(health.judged);
  if (watched === "well") return { ...tile, count: formatCount(0, locale), note: t("home.incidentsNone") };
  const note = watched === "late" ? t("home.incidentsLate") : t("common.neverUpdated");
  return { ...tile, count: t("common.none"), note, isUnwell: watched === "late" };
}

function useTiles(areas: HomeAreas): Tile[] {
  const { cases, onboardings, transfers, heldCoins, approvals, outcomes, wallets } = areas;
  const t = useTranslations("home");
  const locale = useLocale();
  const counted = useCounted();
  const ofCases = useCaseTiles(cases);
  const unwell = useUnwellTiles(areas);
  const incidents = useIncidentTile(areas.health);
  const common = useTranslations("common");
  const text = (count: number) => formatCount(count, locale);
  const inProgress = ({ counts: { open }, ...fresh }: NonNullable<HomeAreas["onboardings"]>) => {
    const shown = countKnown(text(open), open, fresh);
    return shown === undefined ? common("neverUpdated") : t("inProgress", { count: open, shown });
  };
  const tiles: (Tile | null)[] = [
    ...ofCases,
    onboardings && {
      name: "refused",
      href: "/onboarding?status=ERROR",
      ...counted(onboardings, {
        text: text(onboardings.counts.ERROR),
        count: onboardings.counts.ERROR,
        note: inProgress(onboardings),
      }),
    },
    approvals && {
      name: "toAuthorise",
      href: "/approvals?view=waiting",
      count: text(approvals.counts.waiting),
      note: t("toAuthoriseHint", { count: approvals.ownWaiting }),
    },
    outcomes && {
      name: "outcomes",
      href: "/outcomes",
      count: `${text(outcomes.rows.length)}${outcomes.isWhole ? "" : "+"}`,
      note:
        outcomes.rows.length === 0 && isAnyUnderWay(outcomes.underWay)
          ? t("outcomesUnderWay")
          : t("outcomesHint", { count: outcomes.rows.length }),
    },
    transfers && {
      name: "held",
      href: "/transfers?view=held",
      count: text(transfers.counts.held),
      note: t("heldHint", { count: transfers.counts.held }),
    },
    heldCoins && {
      name: "heldCoins",
      href: HELD_COINS,
      count: text(heldCoins.counts.open),
      note: t("heldHint", { count: heldCoins.counts.open }),
    },
    wallets && {
      name: "wallets",
      href: "/wallets",
      ...counted(
        { ...wallets, readSoFar: wallets.extent === "whole" ? null : wallets.counts.all },
        { text: text(wallets.counts.all), count: wallets.counts.all, note: t("walletsHint") },
      ),
    },
  ];
  return [...[...tiles, incidents].flatMap((tile) => tile ?? []), ...unwell];
}

/** In the order of `names`; each links to the list that it counts. */
export function Counts({ names, areas }: { names: readonly CountName[]; areas: HomeAreas }) {
  const t = useTranslations("home");
  const tiles = useTiles(areas);
  const shown = names.flatMap((name) => tiles.filter((tile) => tile.name === name));
  return (
    <ul
      className={cn(
        "flex flex-wrap border-b border-line max-medium:*:min-w-full *:flex-1 *:border-t *:border-line medium:*:not-first:border-l",
        // Five would leave one alone in a row of its own.
        shown.length === 5 ? "*:min-w-[9.5rem]" : "*:min-w-[11rem]",
      )}
    >
      {shown.map(({ href, name, count, note, noteHref, isUnwell = false }) => (
        <li key={name}>
          <Link
            href={href}
            prefetch={false}
            className={cn(
              "group block px-5 pt-4 outline-offset-[-2px] hover:bg-hover",
              noteHref === undefined ? "pb-4" : "pb-0.5",
            )}
          >
            <span className="flex items-start justify-between gap-2 text-muted medium:@max-widest:min-h-[2lh]">
              {t(name)}
              <Icon of="arrow-right" size={15} className="mt-0.5 shrink-0 text-faint group-hover:text-accent" />
            </span>
            <span className={cn("mt-1 block text-2xl font-semibold tracking-tight", isUnwell && "text-warning")}>
              {count}
            </span>
            {noteHref === undefined ? <span className="mt-1 block text-sm text-muted">{note}</span> : null}
          </Link>
          {noteHref === undefined ? null : (
            <Link
              href={noteHref}
              prefetch={false}
              className="mx-5 mb-3.5 block py-0.5 text-sm text-warning hover:underline"
            >
              {note}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}
