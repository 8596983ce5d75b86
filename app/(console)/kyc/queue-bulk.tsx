"use client";

import { Tag, Undo2, UserRound, X } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { type CaseCount, countText } from "@/lib/kyc-view";
import { BulkDialog, type BulkDeed } from "./bulk-dialog";
import type { useSelection } from "./use-selection";

type QueueBulkProps = {
  selection: ReturnType<typeof useSelection>;
  /** How many cases the whole filter has. */
  total: CaseCount;
  search: string;
  onDone: (said: string) => void;
};

/** What can be done with the selected cases at once; to decide is not among it. */
export function QueueBulk({ selection, total, search, onDone }: QueueBulkProps) {
  const t = useTranslations("kycQueue");
  const locale = useLocale();
  const [deed, setDeed] = useState<BulkDeed | null>(null);
  const { ids, isAll, isWholePage } = selection;
  const whole = countText(total, locale);
  return (
    <>
      <div
        role="toolbar"
        aria-label={t("bulk")}
        className="fixed inset-x-4 bottom-5 z-20 mx-auto flex w-fit max-w-[calc(100vw-2rem)] flex-wrap items-center gap-2 rounded-lg bg-raised px-3 py-2 shadow-float"
      >
        <p aria-live="polite" className="px-1 font-medium tabular-nums">
          {isAll ? t("allSelected", { count: whole }) : t("selected", { count: ids.length })}
        </p>
        {!isAll && isWholePage && (total.cases > ids.length || !total.isExact) ? (
          <Button size="small" tone="quiet" onClick={selection.selectAll}>
            {t("selectAll", { count: whole })}
          </Button>
        ) : null}
        <Button size="small" onClick={() => setDeed("assign")}>
          <UserRound aria-hidden size={13} />
          {t("assign")}
        </Button>
        <Button size="small" onClick={() => setDeed("tag")}>
          <Tag aria-hidden size={13} />
          {t("addTag")}
        </Button>
        <Button size="small" onClick={() => setDeed("untag")}>
          <Undo2 aria-hidden size={13} />
          {t("removeTag")}
        </Button>
        <Button size="small" tone="quiet" aria-label={t("clearSelection")} onClick={selection.clear}>
          <X aria-hidden size={14} />
        </Button>
      </div>
      {deed === null ? null : (
        <BulkDialog
          deed={deed}
          selection={isAll ? { search } : { ids: [...ids] }}
          count={isAll ? total.cases : ids.length}
          isExact={!isAll || total.isExact}
          onClose={() => setDeed(null)}
          onDone={(said) => {
            setDeed(null);
            selection.clear();
            onDone(said);
          }}
        />
      )}
    </>
  );
}
