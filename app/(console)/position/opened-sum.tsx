import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { buttonClass } from "@/components/ui/button";
import { Icon } from "@/components/ui/icons";
import { RecordSection } from "@/components/layout/record-columns";
import { type Columns, DataTable } from "@/components/table/data-table";
import { Pagination } from "@/components/table/pagination";
import type { SumPart, SumParts } from "@/lib/position/queries";
import { PARTS_DAYS } from "@/lib/db/enums/position";
import {
  type DayMoment,
  FLOW_DAYS,
  kindWord,
  type LinePoint,
  type SumChanges,
  type SumFlow,
} from "@/lib/position/view";
import type { SumKey } from "@/lib/db/enums/position";
import { formatAsOf, formatDate } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { daysUntil } from "@/lib/text/time";
import { ChangeSection, type SumFigures } from "./change-section";
import { FlowChart } from "./flow-chart";
import { LineChart } from "./line-chart";
import { OpenedPlace } from "./opened-place";
import { useMoment, useSumName } from "./position-words";
import { SumAmount } from "./sum-amount";

type OpenedSumProps = {
  sum: SumKey;
  day: string;
  tellsOwn: boolean;
  line: readonly LinePoint[];
  parts: SumParts;
  flow: SumFlow;
  /** Null: it is compared with no day. */
  changed: {
    against: string;
    againstMoment: DayMoment | null;
    /** Null: the sum has no row. */
    figures: SumFigures | null;
    changes: SumChanges;
  } | null;
  hrefOf: (page: number) => string;
  closeHref: string;
};

/** The 90 days of one sum until the one that is shown, and what makes it up. */
export function OpenedSumSection({
  sum,
  day,
  tellsOwn,
  line,
  parts,
  flow,
  changed,
  hrefOf,
  closeHref,
}: OpenedSumProps) {
  const t = useTranslations("position");
  const locale = useLocale();
  const nameOf = useSumName();
  const momentOf = useMoment();
  const name = `${t(`kinds.${kindWord(sum.kind, { tellsOwn })}`)} · ${nameOf(sum)}`;
  const [first] = line;
  const title =
    first === undefined
      ? t("line.title", { day: formatDate(day, locale) })
      : t("line.since", { day: formatDate(first.day, locale) });
  const flowTitle = t("flow.title", { days: FLOW_DAYS, day: formatDate(day, locale) });
  const columns: Columns<SumPart> = {
    holder: {
      header: t("columns.holder"),
      width: "text",
      td: "wraps",
      cell: (part) => (
        <Link href={part.href} prefetch={false} className="row-link font-medium">
          {providerText(part.name)}
        </Link>
      ),
    },
    amount: {
      header: t("columns.amount"),
      width: "text",
      align: "end",
      td: "tabular-nums wraps",
      cell: ({ amount }) =>
        amount === null ? (
          <span className="text-warning">{t("notRead")}</span>
        ) : (
          <SumAmount sum={sum} decimal={amount} />
        ),
    },
    readAt: {
      header: t("columns.readAt"),
      width: "date",
      align: "end",
      from: "medium",
      td: "text-muted tabular-nums",
      cell: ({ readAt }) => (readAt === null ? t("unknown") : formatAsOf(readAt, locale)),
    },
  };
  return (
    <OpenedPlace
      label={name}
      close={
        <Link
          href={closeHref}
          scroll={false}
          prefetch={false}
          aria-label={t("closeOpened")}
          title={t("closeOpened")}
          className={buttonClass("quiet", "small")}
        >
          <Icon of="x" size={14} />
        </Link>
      }
    >
      <RecordSection id="position-line" title={title}>
        <LineChart sum={sum} points={line} name={name} last={day} />
      </RecordSection>
      {flow.days.length === 0 && flow.untold === 0 ? null : (
        <RecordSection id="position-flow" title={flowTitle}>
          <FlowChart sum={sum} flow={flow} days={daysUntil(FLOW_DAYS, day)} label={`${flowTitle}: ${name}`} />
        </RecordSection>
      )}
      {changed === null ? null : (
        <ChangeSection
          sum={sum}
          since={momentOf(changed.against, changed.againstMoment)}
          isEarlier={changed.against > day}
          figures={changed.figures}
          changes={changed.changes}
        />
      )}
      <RecordSection id="position-parts" title={t("madeOf")}>
        {parts.total === 0 ? (
          <p className="px-5 text-muted">{t("partsGone", { days: PARTS_DAYS })}</p>
        ) : (
          <>
            <DataTable
              label={`${t("madeOf")}: ${name}`}
              columns={columns}
              rows={parts.rows}
              keyOf={({ subject }) => subject}
            />
            <Pagination {...parts} hrefOf={hrefOf} />
          </>
        )}
      </RecordSection>
    </OpenedPlace>
  );
}
