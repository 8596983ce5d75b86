import { useLocale, useTranslations } from "next-intl";
import { DateFilter } from "@/components/date-field";
import { Button } from "@/components/ui/button";
import { ChoiceLinks } from "@/components/ui/choice-links";
import type { StatementFilter } from "@/lib/accounts/rules";
import { formatDate } from "@/lib/format";
import { hrefWith } from "@/lib/href";
import { firstOfLastDays } from "@/lib/time";

const PRESETS = { today: 1, "7": 7, "30": 30, "90": 90 } as const;

type PeriodBarProps = { path: string; filter: StatementFilter; today: string };

/** The period and the PIX filter, all in the address: a plain form and links, no script needed. */
export function PeriodBar({ path, filter, today }: PeriodBarProps) {
  const t = useTranslations("accounts");
  const locale = useLocale();
  const pix = filter.pix || undefined;
  const presets = (["today", "7", "30", "90"] as const).map((name) => {
    const from = firstOfLastDays(PRESETS[name]);
    return {
      href: hrefWith(path, { from, to: today, pix }),
      label: t(`presets.${name}`),
      isCurrent: filter.from === from && filter.to === today,
    };
  });
  const dates = [
    { name: "from", label: t("from"), value: filter.from },
    { name: "to", label: t("to"), value: filter.to },
  ];
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 pb-3">
      <p className="hidden tabular-nums print:block">
        {t("printedPeriod", { from: formatDate(filter.from, locale), to: formatDate(filter.to, locale) })}
        {filter.pix ? ` · ${t("onlyPix")}` : null}
      </p>
      <ChoiceLinks label={t("period")} choices={presets} />
      <form action={path} className="flex flex-wrap items-start gap-2">
        {pix ? <input type="hidden" name="pix" value="true" /> : null}
        {dates.map(({ name, label, value }) => (
          <DateFilter key={`${name} ${value}`} isRequired name={name} label={label} value={value} last={today} />
        ))}
        <Button type="submit" size="small">
          {t("apply")}
        </Button>
      </form>
      <ChoiceLinks
        label={t("entries")}
        choices={[false, true].map((onlyPix) => ({
          href: hrefWith(path, { from: filter.from, to: filter.to, pix: onlyPix }),
          label: onlyPix ? t("onlyPix") : t("allEntries"),
          isCurrent: filter.pix === onlyPix,
        }))}
      />
    </div>
  );
}
