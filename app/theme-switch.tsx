import { useTranslations } from "next-intl";
import { setTheme } from "@/lib/preferences/actions";
import { THEMES, type Theme } from "@/lib/preferences/view";
import { Switch } from "./switch";

export function ThemeSwitch({ current }: { current: Theme }) {
  const t = useTranslations("shell");
  const choices = THEMES.map((theme) => ({
    value: theme,
    name: t(`themes.${theme}`),
    isCurrent: theme === current,
  }));
  return <Switch label={t("theme")} choices={choices} choose={setTheme} />;
}
