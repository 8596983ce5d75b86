"use client";

import { useLocale, useTranslations } from "next-intl";
import { leftOf } from "@/components/freshness/left-of";
import { useNow } from "@/components/freshness/use-now";
import { formatDateTime } from "@/lib/text/format";

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
