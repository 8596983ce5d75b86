import { useTranslations } from "next-intl";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long something took, in its two largest units; null: nothing took any time. */
export function useLength(): (ms: number | null) => string {
  const t = useTranslations("kycFigures.length");
  return (ms) => {
    if (ms === null) return t("none");
    const [days, hours] = [Math.floor(ms / DAY_MS), Math.floor((ms % DAY_MS) / HOUR_MS)];
    const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
    if (days > 0) return t("days", { days, hours });
    return hours > 0 ? t("hours", { hours, minutes }) : t("minutes", { minutes });
  };
}
