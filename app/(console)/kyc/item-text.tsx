import { useTranslations } from "next-intl";
import { standardCodeOf } from "@/lib/kyc/standard-rules-view";

/** A standard reason or item in the reader's language; what the company wrote, as it wrote it. */
export function ItemText({ item }: { item: { code: string; text: string } }) {
  const t = useTranslations("standardRules");
  const standard = standardCodeOf(item);
  return standard === null ? item.text : t(standard);
}
