"use client";

import { useQuery } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { useEffect } from "react";
import { followWaits, useQuietRead } from "@/components/session/use-read";
import { formatAsOf, formatTime } from "@/lib/text/format";
import type { ProviderStanding } from "@/lib/calls/queries";
import { deferred } from "@/components/layout/deferred";
import { Panel, PanelSkeleton } from "./menus";

const loadPanel = () => import("./panels").then((loaded) => loaded.ProviderPanel);
const ProviderPanel = deferred(loadPanel, <PanelSkeleton />);

const PANEL_ID = "provider-meter";
const CALM_REFRESH_MS = 15_000;
const BUSY_REFRESH_MS = 3_000;

const inLine = ({ waiting }: ProviderStanding) => waiting.money + waiting.people;

const isBusy = (standing: ProviderStanding) =>
  standing.pausedUntil !== null ||
  standing.silentSince !== null ||
  standing.silentLanes.length > 0 ||
  inLine(standing) > 0;

export function useReason(standing: ProviderStanding): string | null {
  const t = useTranslations("provider");
  const locale = useLocale();
  const waiting = inLine(standing);
  if (standing.silentSince !== null) return t("silentSince", { time: formatAsOf(standing.silentSince, locale) });
  if (standing.silentLanes.length > 0) return t("silent");
  if (standing.pausedUntil !== null) return t("paused", { time: formatTime(standing.pausedUntil, locale) });
  if (waiting > 0) return t("waiting", { count: waiting });
  return standing.limit < standing.configured ? t("lowered", { limit: standing.limit }) : null;
}

/** Whether somebody was told of the silence, in a sentence; null without one. */
function useTold({ silentSince, told }: ProviderStanding): string | null {
  const t = useTranslations("provider.told");
  if (silentSince === null || told === null) return null;
  if (told.as === "sent") return t("sent", { count: told.count });
  return told.as === "later" ? t("later", { minutes: told.minutes }) : t(told.as);
}

function Bar({ standing, isTroubled }: { standing: ProviderStanding; isTroubled: boolean }) {
  const share = Math.min(100, Math.round((100 * standing.used) / Math.max(1, standing.limit)));
  return (
    <svg aria-hidden className="mt-1.5 block h-1 w-full rounded-full bg-hover">
      <rect
        width={`${share}%`}
        height="100%"
        rx="2"
        className={isTroubled || share >= 90 ? "fill-warning" : "fill-accent"}
      />
    </svg>
  );
}

function useStanding(initial: ProviderStanding) {
  const read = useQuietRead();
  return useQuery({
    queryKey: ["provider"],
    queryFn: ({ signal }) => read<ProviderStanding>("/api/provider", signal),
    initialData: initial,
    staleTime: CALM_REFRESH_MS,
    refetchInterval: ({ state }) => (isBusy(state.data ?? initial) ? BUSY_REFRESH_MS : CALM_REFRESH_MS),
    retry: false,
  });
}

/** On every screen, as each shows what was read before. */
export function SilenceBar({ initial }: { initial: ProviderStanding }) {
  const t = useTranslations("provider");
  const { data: standing } = useStanding(initial);
  const reason = useReason(standing);
  const told = useTold(standing);
  const isSilent = standing.silentSince !== null || standing.silentLanes.length > 0;
  return isSilent ? (
    <output className="block border-b border-line bg-warning-tint px-5 py-1.5 text-sm">
      {reason} {t("readBefore")} {told}
    </output>
  ) : null;
}

/** The first minutes of the demo: what its people do comes while somebody looks. */
export function DemoBar({ initial }: { initial: ProviderStanding }) {
  const t = useTranslations("provider");
  const { data: standing } = useStanding(initial);
  return standing.isDemoBeingMade ? (
    <p className="border-b border-line bg-hover px-5 py-1.5 text-sm text-muted print:hidden">{t("demoBeingMade")}</p>
  ) : null;
}

export function ProviderMeter({ initial }: { initial: ProviderStanding }) {
  const t = useTranslations("provider");
  const { data: standing, isError, refetch } = useStanding(initial);
  // Whoever waits is told why now, not at the next poll.
  useEffect(() => followWaits(() => void refetch({ cancelRefetch: false })), [refetch]);
  const reason = useReason(standing);
  const use = t("use", { used: standing.used, limit: standing.limit });
  return (
    <div className="px-2.5 pb-1.5">
      <button
        type="button"
        popoverTarget={PANEL_ID}
        onPointerEnter={() => void loadPanel()}
        onFocus={() => void loadPanel()}
        className="block w-full rounded px-2.5 py-1.5 text-start text-xs text-muted hover:bg-hover hover:text-ink"
      >
        <span className="flex items-baseline justify-between gap-2">
          <span>{t("title")}</span>
          <span className="tabular-nums">{use}</span>
        </span>
        <Bar standing={standing} isTroubled={reason !== null} />
        {reason ? <span className="mt-1 block text-ink">{reason}</span> : null}
      </button>
      <Panel id={PANEL_ID} className="bottom-40 w-72 space-y-3 text-sm">
        <ProviderPanel standing={standing} reason={reason} isUnread={isError} />
      </Panel>
    </div>
  );
}
