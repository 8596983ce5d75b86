import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { StaleNotice } from "@/components/freshness/stale-notice";
import { formatTime } from "@/lib/text/format";
import { troubleOf } from "@/lib/text/page";
import { MINUTE_MS } from "@/lib/text/time";
import { INCIDENT_DAYS } from "@/lib/db/enums/health";
import type { Health } from "@/lib/health/view";
import { IncidentTable } from "./incident-table";
import { PartTable } from "./part-table";
import { WatchTable } from "./watch-table";

type SectionProps = { id: string; title: string; note?: string; children: ReactNode };

function Section({ id, title, note, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <div className="flex flex-wrap items-baseline gap-x-3 px-5 pt-6 pb-2">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {note === undefined ? null : <span className="text-sm text-muted tabular-nums">{note}</span>}
      </div>
      {children}
    </section>
  );
}

/** The check that tells people may itself stand still. */
function Unwatched({ health: { judged } }: { health: Health }) {
  const t = useTranslations("health");
  const own = judged.watches.find(({ name }) => name === "health");
  if (own === undefined) return null;
  const trouble = troubleOf({
    asOf: own.asOf,
    isStale: own.verdict === "late" || own.verdict === "failing",
    failure: null,
  });
  if (trouble === null) return null;
  return (
    <StaleNotice fresh={{ asOf: own.asOf }} trouble={trouble}>
      {" "}
      {t("notWatched")}
    </StaleNotice>
  );
}

export function HealthReport({ health }: { health: Health }) {
  const t = useTranslations("health");
  const locale = useLocale();
  const { open, past, reading, calmMs, silenceMs, hasMailServer } = health;
  const minutes = silenceMs / MINUTE_MS;
  const days = INCIDENT_DAYS;
  return (
    <>
      <Unwatched health={health} />
      <Section id="open-incidents" title={t("open")} note={t("closes", { minutes: calmMs / MINUTE_MS })}>
        <p className="max-w-prose px-5 pb-2 text-sm text-muted">
          {t(hasMailServer ? "mailRule" : "noMailRule", { minutes })}
        </p>
        {open.length === 0 ? (
          <p className="px-5 pb-2 text-muted">{t("noneOpen")}</p>
        ) : (
          <IncidentTable label={t("open")} incidents={open} health={health} />
        )}
      </Section>
      <Section id="parts" title={t("parts")} note={t("readAt", { time: formatTime(reading.at, locale) })}>
        <PartTable health={health} />
      </Section>
      <Section id="checks" title={t("watches")}>
        <WatchTable health={health} />
      </Section>
      <Section id="past-incidents" title={t("past")} note={t("pastLead", { days })}>
        {past.length === 0 ? (
          <p className="px-5 pb-4 text-muted">{t("nonePast", { days })}</p>
        ) : (
          <IncidentTable label={t("past")} incidents={past} health={health} />
        )}
      </Section>
    </>
  );
}
