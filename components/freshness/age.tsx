"use client";

import { useLocale, useTranslations } from "next-intl";
import { formatDateTime } from "@/lib/text/format";
import { ageOf } from "./age-of";
import { useNow } from "./use-now";

/** `now`: when the rows were read. The clock continues from there. */
export function Age({ since, now }: { since: string; now: string }) {
  const t = useTranslations("age");
  const locale = useLocale();
  const age = ageOf(since, useNow(now));
  return (
    <time dateTime={since} title={formatDateTime(since, locale)}>
      {t(age.unit, { value: age.value })}
    </time>
  );
}
