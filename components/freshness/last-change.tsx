import { useLocale, useTranslations } from "next-intl";
import { formatDateTime } from "@/lib/text/format";

type LastChangeProps = { row: { firstSeenAt: string; changedAt: string } };

export function LastChange({ row: { firstSeenAt, changedAt } }: LastChangeProps) {
  const t = useTranslations("common");
  const locale = useLocale();
  return changedAt > firstSeenAt ? formatDateTime(changedAt, locale) : t("noChange");
}
