import { useLocale, useTranslations } from "next-intl";
import { LOCALES } from "@/lib/text/format";
import { setLocale } from "@/lib/preferences/actions";
import { Switch } from "./switch";

export function LanguageSwitch() {
  const t = useTranslations("shell");
  const current = useLocale();
  const choices = LOCALES.map((locale) => ({
    value: locale,
    name: t(`languages.${locale}`),
    lang: locale,
    isCurrent: locale === current,
  }));
  return <Switch label={t("language")} choices={choices} choose={setLocale} />;
}
