import { useTranslations } from "next-intl";
import { ProviderText } from "@/components/layout/provider-text";
import { TYPE_WORDS } from "@/lib/accounts/view";

/** The provider's word is the tooltip; unknown types appear as written. */
export function TypeWord({ text }: { text: string }) {
  const t = useTranslations("statement.types");
  const word = TYPE_WORDS.find((known) => known === text);
  return word === undefined ? <ProviderText text={text} /> : <span title={word}>{t(word)}</span>;
}
