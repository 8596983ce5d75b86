import { useLocale, useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import { formatAsOf } from "@/lib/text/format";

export function SilentNotice({ since }: { since: string }) {
  const t = useTranslations("home");
  const time = formatAsOf(since, useLocale());
  return (
    <Notice tone="warning" live="polite" className="mx-5 my-3">
      <strong className="font-medium">{t("silentTitle", { time })}</strong> {t("silentBody")}
    </Notice>
  );
}
