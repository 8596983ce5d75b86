import { useTranslations } from "next-intl";
import { standardCodeOf } from "@/lib/kyc/standard-rules-view";

type Item = { code: string; text: string };

/** A standard reason or item in the reader's language; what the company wrote, as it wrote it. */
export function useItemText(): (item: Item) => string {
  const t = useTranslations("standardRules");
  return (item) => {
    const standard = standardCodeOf(item);
    return standard === null ? item.text : t(standard);
  };
}

export function ItemText({ item }: { item: Item }) {
  return useItemText()(item);
}
