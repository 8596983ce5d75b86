import { useLocale, useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import { formatTime } from "@/lib/format";

/** Rows are shown although the last refresh failed: says from when they are. */
export function StaleNotice({ asOf }: { asOf: string | null }) {
  const t = useTranslations();
  const locale = useLocale();
  return (
    <Notice tone="warning" live="polite" className="mx-5 mb-3">
      <strong className="font-medium">
        {asOf ? t("states.staleTitle", { time: formatTime(asOf, locale) }) : t("common.neverUpdated")}
      </strong>{" "}
      {t("states.staleBody")}
    </Notice>
  );
}
