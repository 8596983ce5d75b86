import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { type Column, DataTable } from "@/components/data-table";
import { RecordSection } from "@/components/record-columns";
import { cn } from "@/lib/cn";
import type { FigureDays } from "@/lib/figure-days";
import { formatCount, formatDateTime, formatShare } from "@/lib/format";
import type { PersonFigures } from "@/lib/kyc/queries";

/** What each person decided in these days, and what they have open now. */
export function PeopleTable({ people, days }: { people: readonly PersonFigures[]; days: FigureDays }) {
  const t = useTranslations("kycFigures");
  const columns: Column[] = [
    { header: t("person") },
    { header: t("approved"), width: "w-[max(14cqi,5rem)]", align: "end" },
    { header: t("reproved"), width: "w-[max(14cqi,5.25rem)]", align: "end" },
    { header: t("share"), width: "w-[26cqi]", from: "medium" },
    { header: t("held"), width: "w-[max(14cqi,5.25rem)]", align: "end" },
    { header: t("heldLate"), width: "w-[14cqi]", align: "end", from: "medium" },
  ];
  const most = Math.max(1, ...people.map(({ approved, reproved }) => approved + reproved));
  return (
    <RecordSection id="people" title={t("people", { count: days })}>
      {people.length === 0 ? (
        <p className="border-y border-line px-5 py-3 text-muted">{t("noPeople")}</p>
      ) : (
        <DataTable label={t("people", { count: days })} columns={columns}>
          {people.map((person) => (
            <PersonRow key={person.id} person={person} most={most} />
          ))}
        </DataTable>
      )}
    </RecordSection>
  );
}

function PersonRow({ person, most }: { person: PersonFigures; most: number }) {
  const t = useTranslations("kycFigures");
  const locale = useLocale();
  const { id, name, approved, reproved, open, late, awayUntil } = person;
  const width = (count: number) => (count / most) * 100;
  const count = (value: number) => formatCount(value, locale);
  return (
    <tr>
      <td>
        <Link href={`/kyc?assignee=${id}`} prefetch={false} className="row-link font-medium">
          {name}
        </Link>
        {awayUntil === null ? null : (
          <span className="text-muted"> · {t("away", { time: formatDateTime(awayUntil, locale) })}</span>
        )}
      </td>
      <td data-align="end">{count(approved)}</td>
      <td data-align="end">{count(reproved)}</td>
      <td data-from="medium">
        <span className="sr-only">
          {t("approvedShare", { share: formatShare(approved, approved + reproved, locale) })}
        </span>
        <svg aria-hidden viewBox="0 0 100 1" preserveAspectRatio="none" className="h-3 w-full">
          <rect width={width(approved)} height="1" className="fill-positive" />
          <rect x={width(approved)} width={width(reproved)} height="1" className="fill-negative" />
        </svg>
      </td>
      <td data-align="end">{count(open)}</td>
      <td data-from="medium" data-align="end" className={cn(late > 0 && "font-medium text-negative")}>
        {count(late)}
      </td>
    </tr>
  );
}
