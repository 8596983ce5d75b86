"use client";

import { useLocale, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { formatDateTime } from "@/lib/text/format";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const TICK_MS = 30_000;

type Left = { unit: "days" | "hours" | "minutes" | "over"; value: number };

export function leftOf(expiresAtMs: number, nowMs: number): Left {
  const leftMs = expiresAtMs - nowMs;
  if (leftMs <= 0) return { unit: "over", value: 0 };
  if (leftMs >= 2 * DAY_MS) return { unit: "days", value: Math.floor(leftMs / DAY_MS) };
  if (leftMs >= 2 * HOUR_MS) return { unit: "hours", value: Math.floor(leftMs / HOUR_MS) };
  return { unit: "minutes", value: Math.ceil(leftMs / MINUTE_MS) };
}

/** From the server's `now`: the browser's clock may be wrong, its pace is not. */
export function Countdown({ expiresAt, now }: { expiresAt: string; now: string }) {
  const t = useTranslations("approvals.left");
  const locale = useLocale();
  const [passed, setPassed] = useState({ since: now, ms: 0 });

  useEffect(() => {
    const begun = performance.now();
    const timer = setInterval(() => setPassed({ since: now, ms: performance.now() - begun }), TICK_MS);
    return () => clearInterval(timer);
  }, [now]);

  const nowMs = Date.parse(now) + (passed.since === now ? passed.ms : 0);
  const { unit, value } = leftOf(Date.parse(expiresAt), nowMs);
  return (
    <time dateTime={expiresAt} title={formatDateTime(expiresAt, locale)}>
      {t(unit, { value })}
    </time>
  );
}
