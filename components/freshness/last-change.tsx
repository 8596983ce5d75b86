import { useLocale, useTranslations } from "next-intl";
import { formatDateTime } from "@/lib/text/format";

type LastChangeProps = { seenAt: string; changedAt: string; toldAt?: string | null };

/** `seenAt`, `changedAt`: when it was first read here, and first read otherwise; `toldAt`: the provider's own time of its last word. */
export function LastChange({ seenAt, changedAt, toldAt = null }: LastChangeProps) {
  const t = useTranslations("common");
  const locale = useLocale();
  const told = toldAt === null ? [] : [formatDateTime(toldAt, locale)];
  if (changedAt > seenAt) return [...told, t("changeSeen", { time: formatDateTime(changedAt, locale) })].join(" · ");
  return told[0] ?? t("noChange", { time: formatDateTime(seenAt, locale) });
}
