import { useLocale, useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import { formatCount } from "@/lib/text/format";

export function ReadSoFar({ count }: { count: number | null }) {
  const t = useTranslations("kycQueue");
  const locale = useLocale();
  if (count === null) return null;
  return (
    <Notice tone="info" live="polite" className="mx-5 my-3">
      {t("readSoFar", { count: formatCount(count, locale) })}
    </Notice>
  );
}
