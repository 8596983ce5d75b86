"use client";

import { useLocale, useTranslations } from "next-intl";
import { useNow } from "@/components/freshness/use-now";
import { formatDateTime } from "@/lib/text/format";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Left = { unit: "days" | "hours" | "minutes" | "over"; value: number };

export function leftOf(expiresAtMs: number, nowMs: number): Left {
  const leftMs = expiresAtMs - nowMs;
  if (leftMs <= 0) return { unit: "over", value: 0 };
  if (leftMs >= 2 * DAY_MS) return { unit: "days", value: Math.floor(leftMs / DAY_MS) };
  if (leftMs >= 2 * HOUR_MS) return { unit: "hours", value: Math.floor(leftMs / HOUR_MS) };
  return { unit: "minutes", value: Math.ceil(leftMs / MINUTE_MS) };
}

export function Countdown({ expiresAt, now }: { expiresAt: string; now: string }) {
  const t = useTranslations("approvals.left");
  const locale = useLocale();
  const nowMs = useNow(now);
  const { unit, value } = leftOf(Date.parse(expiresAt), nowMs);
  return (
    <time dateTime={expiresAt} title={formatDateTime(expiresAt, locale)}>
      {t(unit, { value })}
    </time>
  );
}
