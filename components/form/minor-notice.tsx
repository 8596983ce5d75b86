import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import { ADULT_AGE, civilDaysAgo, wholeYears } from "@/lib/text/time";
import { readDate } from "@/lib/text/typed-date";

/** Warns without refusing: a policy may accept minors. */
export function MinorNotice({ birthDate }: { birthDate: string }) {
  const t = useTranslations("fields");
  const born = readDate(birthDate);
  const age = born === null ? null : wholeYears(born, civilDaysAgo(0));
  if (age === null || age < 0 || age >= ADULT_AGE) return null;
  return (
    <Notice tone="warning" live="polite">
      {t("minor", { age })}
    </Notice>
  );
}
