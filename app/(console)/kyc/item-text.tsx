import { useTranslations } from "next-intl";
import { standardCodeOf } from "@/lib/kyc/standard-rules-view";

type Item = { code: string; text: string };

/** Standard texts are translated; the company's own stay as written. */
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
