import { ArrowUp } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Column } from "@/components/data-table";
import type { KycFilter } from "@/lib/kyc/rules";
import { type KycSort, NATURAL_ORDER, orderOf, queueHref, sortOf } from "@/lib/kyc-view";

const OTHER = { asc: "desc", desc: "asc" } as const;

type QueueColumnsProps = { filter: KycFilter; selectAll: ReactNode };

/** The columns; those that the queue can be ordered by are links that order it, the other way round when it is so already. */
export function useQueueColumns({ filter, selectAll }: QueueColumnsProps): Column[] {
  const t = useTranslations("kyc.columns");
  const queue = useTranslations("kycQueue");
  const [sort, order] = [sortOf(filter), orderOf(filter)];
  const by = (wanted: KycSort) => {
    const isCurrent = wanted === sort;
    return {
      href: queueHref(filter, { sort: wanted, order: isCurrent ? OTHER[order] : NATURAL_ORDER[wanted] }),
      direction: isCurrent ? order : null,
      icon: isCurrent ? <ArrowUp aria-hidden size={11} className={order === "asc" ? "" : "rotate-180"} /> : null,
    };
  };
  const time = sort === "changed" ? t("changed") : sort === "waiting" ? queue("columns.waiting") : t("firstSeen");
  return [
    {
      header: t("status"),
      width: selectAll === null ? "w-[clamp(8.5rem,11cqi,9rem)]" : "w-[clamp(10.25rem,14cqi,11rem)]",
      content:
        selectAll === null ? undefined : (
          <>
            {selectAll}
            {t("status")}
          </>
        ),
    },
    { header: t("document"), width: "w-[clamp(10.5rem,20cqi,18rem)]" },
    { header: t("type"), from: "medium" },
    { header: queue("columns.assignee"), width: "w-[13cqi]" },
    { header: queue("columns.due"), width: "w-[9.25rem]", sort: by("due") },
    {
      header: time,
      width: "w-[5.75rem]",
      from: "wide",
      align: "end",
      sort: by(sort === "due" ? "arrival" : sort),
    },
    { header: t("action"), width: "w-[clamp(6rem,8cqi,8rem)]", align: "end", isHeaderHidden: true },
  ];
}
