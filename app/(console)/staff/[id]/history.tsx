import { useLocale, useTranslations } from "next-intl";
import { RecordSection } from "@/components/record-columns";
import { Badge } from "@/components/ui/badge";
import { isRole } from "@/lib/auth/permission";
import { formatDateTime } from "@/lib/format";
import type { PersonView } from "@/lib/staff/queries";

type Entry = PersonView["history"][number];

/** What the record tells of the person's access: when, what, by whom, and from what to what. */
export function History({ entries }: { entries: Entry[] }) {
  const t = useTranslations("staff");
  return (
    <RecordSection id="history" title={t("history")}>
      {entries.length === 0 ? <p className="border-y border-line px-5 py-3 text-muted">{t("noHistory")}</p> : null}
      <ol className="divide-y divide-line border-line not-empty:border-y">
        {entries.map((entry) => (
          <HistoryLine key={entry.seq} entry={entry} />
        ))}
      </ol>
      <p className="px-5 pt-2 text-sm text-muted">{t("historyNote")}</p>
    </RecordSection>
  );
}

function HistoryLine({ entry }: { entry: Entry }) {
  const t = useTranslations();
  const locale = useLocale();
  const change = useChange()(entry);
  return (
    <li className="px-5 py-2.5">
      <div className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{t(`audit.codes.${entry.code}`)}</span>
        {entry.outcome === "REFUSED" ? <Badge tone="warning">{t("staff.refusedOutcome")}</Badge> : null}
        <time dateTime={entry.at} className="ml-auto text-sm text-muted tabular-nums">
          {formatDateTime(entry.at, locale)}
        </time>
      </div>
      <p className="text-sm text-muted">
        {change === null ? null : <span className="text-ink">{change} </span>}
        <By entry={entry} />
      </p>
    </li>
  );
}

function By({ entry: { actor, byName } }: { entry: Entry }) {
  const t = useTranslations("staff");
  if (byName !== null) return t("by", { name: byName });
  if (actor === "command") return t("byCommand");
  return t("bySystem", { actor: actor === "nobody" ? t("nobody") : actor });
}

const isStaffState = (word: string): word is "active" | "disabled" => word === "active" || word === "disabled";

/** From what to what, where the record tells: roles by their names, states by theirs. */
function useChange(): (entry: Entry) => string | null {
  const t = useTranslations();
  const worded = (value: unknown): string | null => {
    if (typeof value === "boolean") return t(value ? "staff.factorOn" : "staff.factorOff");
    if (typeof value !== "string") return null;
    if (isStaffState(value)) return t(`staff.state.${value}`);
    return value
      .split(",")
      .map((word) => (isRole(word) ? t(`roles.${word}`) : word))
      .join(", ");
  };
  return ({ detail }) => {
    const [before, after] = [worded(detail["before"]), worded(detail["after"])];
    if (before !== null && after !== null) return t("staff.fromTo", { before, after });
    return detail["roles"] === undefined ? null : worded(detail["roles"]);
  };
}
