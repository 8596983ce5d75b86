import { useLocale, useTranslations } from "next-intl";
import { LOCALES } from "@/lib/text/format";
import { setLocale, setTheme } from "@/lib/preferences/actions";
import { THEMES, type Theme } from "@/lib/preferences/view";
import { cn } from "@/components/ui/cn";

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

export function ThemeSwitch({ current }: { current: Theme }) {
  const t = useTranslations("shell");
  const choices = THEMES.map((theme) => ({
    value: theme,
    name: t(`themes.${theme}`),
    isCurrent: theme === current,
  }));
  return <Switch label={t("theme")} choices={choices} choose={setTheme} />;
}

type Choice = { value: string; name: string; lang?: string; isCurrent: boolean };

type SwitchProps = { label: string; choices: Choice[]; choose: (form: FormData) => Promise<void> };

/** Works before the page's scripts load. */
function Switch({ label, choices, choose }: SwitchProps) {
  return (
    <form action={choose} data-needs-answer>
      <fieldset>
        <legend className="mb-1.5 text-xs font-medium text-muted">{label}</legend>
        <div className="flex rounded border border-line bg-canvas p-0.5">
          {choices.map((choice) => (
            <button
              key={choice.value}
              type="submit"
              name="choice"
              value={choice.value}
              lang={choice.lang}
              aria-pressed={choice.isCurrent}
              className={cn(
                "h-6.5 flex-1 rounded-sm px-2 text-sm",
                choice.isCurrent ? "bg-raised font-medium text-ink shadow-control" : "text-muted hover:text-ink",
              )}
            >
              {choice.name}
            </button>
          ))}
        </div>
      </fieldset>
    </form>
  );
}
