"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { useRead } from "@/components/session/use-read";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { hrefWith } from "@/lib/text/page";
import { startDeliveryReplay } from "@/lib/webhooks/actions";
import type { ReplayScope } from "@/lib/webhooks/inputs";
import type { ReplayPlan } from "@/lib/webhooks/view";

type ReplayDialogProps = { scope: ReplayScope; onClose: () => void };

/** Says how many deliveries, calls and minutes before it starts. */
export function ReplayDialog({ scope, onClose }: ReplayDialogProps) {
  const t = useTranslations("replays");
  const router = useRouter();
  const read = useRead();
  const { pending, failure, run } = useAction(startDeliveryReplay);
  const { delivery, filter } = scope;
  const address = hrefWith("/api/webhooks/plan", delivery === undefined ? filter : { delivery });
  const plan = useQuery({
    queryKey: ["replay-plan", address],
    gcTime: 0,
    queryFn: ({ signal }) => read<ReplayPlan>(address, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const planned = plan.data;
  const start = (id: string) => {
    if (planned === undefined) return;
    run({ ...scope, id, upTo: planned.upTo }, () => router.push("/webhooks/replays"));
  };
  return (
    <FormDialog
      title={t(delivery === undefined ? "dialogThese" : "dialogOne")}
      description={t("body")}
      submitLabel={t("start")}
      isReady={planned !== undefined && planned.deliveries > 0 && !planned.isTooLarge}
      pending={pending}
      error={failure}
      isWritten={false}
      onSubmit={(_, id) => start(id)}
      onClose={onClose}
    >
      <div aria-live="polite">
        {planned !== undefined ? (
          <Plan plan={planned} />
        ) : plan.isError ? (
          <Unplanned isBusy={plan.isFetching} onRetry={() => void plan.refetch()} />
        ) : (
          <>
            <p className="sr-only">{t("planning")}</p>
            <Skeleton className="h-4 w-72" />
          </>
        )}
      </div>
    </FormDialog>
  );
}

function Unplanned({ isBusy, onRetry }: { isBusy: boolean; onRetry: () => void }) {
  const t = useTranslations();
  return (
    <div className="flex items-center gap-3 text-sm text-muted">
      {t("replays.planFailed")}
      <Button size="small" isBusy={isBusy} onClick={onRetry}>
        {t("common.retry")}
      </Button>
    </div>
  );
}

const LEFT_OUT = ["waiting", "busy", "nothing"] as const;

function Plan({ plan }: { plan: ReplayPlan }) {
  const t = useTranslations();
  const { deliveries, objects, calls, minutes, isTooLarge } = plan;
  const parts = LEFT_OUT.filter((why) => plan[why] > 0).map((why) => t(`replays.${why}`, { count: plan[why] }));
  const leftOut = parts.length === 0 ? null : <p>{t("replays.leftOut", { parts: parts.join(", ") })}</p>;
  if (isTooLarge) return <Notice tone="negative">{t("failures.replay-large")}</Notice>;
  if (deliveries === 0)
    return (
      <Notice tone="warning">
        <p className="font-medium">{t("replays.none")}</p>
        {leftOut}
      </Notice>
    );
  return (
    <Notice tone="info">
      <p className="font-medium tabular-nums">{t("replays.plan", { deliveries, objects, calls, minutes })}</p>
      {leftOut}
      <p className="mt-1 text-muted">{t("replays.planNote")}</p>
    </Notice>
  );
}
