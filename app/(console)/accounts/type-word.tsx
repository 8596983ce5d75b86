import { useTranslations } from "next-intl";
import { ProviderText } from "@/components/layout/provider-text";
import { TYPE_WORDS } from "@/lib/accounts/view";

/** With the provider's word as its title; unknown ones stand as the provider wrote them. */
export function TypeWord({ text }: { text: string }) {
  const t = useTranslations("statement.types");
  const word = TYPE_WORDS.find((known) => known === text);
  return word === undefined ? <ProviderText text={text} /> : <span title={word}>{t(word)}</span>;
}
