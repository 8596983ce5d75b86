import { useLocale, useTranslations } from "next-intl";
import { formatDateTime } from "@/lib/text/format";

type LastChangeProps = { seenAt: string; changedAt: string };

/** `seenAt`: when it was first read here. */
export function LastChange({ seenAt, changedAt }: LastChangeProps) {
  const t = useTranslations("common");
  const locale = useLocale();
  return changedAt > seenAt ? formatDateTime(changedAt, locale) : t("noChange");
}
