import { ArrowDown, ArrowUp } from "lucide-react";
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
    const Arrow = order === "asc" ? ArrowUp : ArrowDown;
    return {
      href: queueHref(filter, { sort: wanted, order: isCurrent ? OTHER[order] : NATURAL_ORDER[wanted] }),
      direction: isCurrent ? order : null,
      icon: isCurrent ? <Arrow aria-hidden size={11} /> : null,
    };
  };
  const time = sort === "changed" ? t("changed") : sort === "waiting" ? queue("columns.waiting") : t("firstSeen");
  return [
    ...(selectAll === null
      ? []
      : [{ header: queue("columns.select"), width: "w-[3rem]", from: "medium", content: selectAll } as const]),
    { header: t("status"), width: "w-[clamp(7.75rem,11cqi,9rem)]" },
    { header: t("document"), width: "w-[clamp(10.25rem,15cqi,13rem)]" },
    { header: t("type"), width: "w-[11cqi]", from: "wide" },
    { header: t("process"), from: "wide" },
    { header: queue("columns.assignee"), from: "medium" },
    { header: queue("columns.due"), width: "w-[9.5rem]", from: "medium", sort: by("due") },
    { header: queue("columns.tags"), width: "w-[11cqi]", from: "wide" },
    {
      header: time,
      width: "w-[6.25rem]",
      from: "medium",
      align: "end",
      sort: by(sort === "due" ? "arrival" : sort),
    },
    { header: t("action"), width: "w-[clamp(6rem,9cqi,8rem)]", align: "end", isHeaderHidden: true },
  ];
}
