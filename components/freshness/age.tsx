"use client";

import { useLocale, useTranslations } from "next-intl";
import { formatDateTime } from "@/lib/text/format";
import { ageOf } from "./age-of";
import { useNow } from "./use-now";

const SECONDS_TICK_MS = 5_000;

/** `now`: when the rows were read. The clock continues from there. */
type AgeProps = { since: string; now: string; inSeconds?: boolean };

export function Age({ since, now, inSeconds = false }: AgeProps) {
  const t = useTranslations("age");
  const locale = useLocale();
  const age = ageOf(since, useNow(now, inSeconds ? SECONDS_TICK_MS : undefined), inSeconds);
  return (
    <time dateTime={since} title={formatDateTime(since, locale)}>
      {t(age.unit, { value: age.value })}
    </time>
  );
}
