"use client";

import { useTranslations } from "next-intl";
import { FailureText } from "@/components/layout/failure-text";
import { useAction } from "@/components/session/use-action";
import { Button } from "@/components/ui/button";
import { seeResults } from "@/lib/approvals/actions";

type SeeResultsProps = { ids: readonly string[]; onDone: () => void };

export function SeeResults({ ids, onDone }: SeeResultsProps) {
  const t = useTranslations("approvals");
  const { pending, failure, run } = useAction(seeResults);
  return (
    <>
      {failure === null ? null : (
        <span role="alert" className="text-sm text-negative">
          <FailureText failure={failure} />
        </span>
      )}
      <Button tone="quiet" size="small" isBusy={pending} onClick={() => run({ approvalIds: [...ids] }, onDone)}>
        {t("seeResults", { count: ids.length })}
      </Button>
    </>
  );
}
