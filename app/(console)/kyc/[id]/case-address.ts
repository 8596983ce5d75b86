import { z } from "zod";
import { hrefWith } from "@/lib/href";
import { TIMELINE_SHOWS, type TimelineShow } from "@/lib/kyc-timeline";
import { filterValues, queueHref } from "@/lib/kyc-view";
import { KycFilter } from "@/lib/kyc/rules";

const TimelineChoice = z.object({
  show: z.enum(TIMELINE_SHOWS).catch("all"),
  older: z.string().max(120).nullable().catch(null).default(null),
});

/** What a case's address says beside the case: how the queue was filtered that one came from, and what of the timeline is in sight. */
export function readCaseAddress(kycUUID: string, asked: Record<string, unknown>) {
  const filter = KycFilter.parse(asked);
  const { show, older } = TimelineChoice.parse(asked);
  const hrefTo = (id: string, more: Record<string, string | undefined> = {}) =>
    hrefWith(`/kyc/${encodeURIComponent(id)}`, { ...filterValues(filter), ...more });
  return {
    filter,
    show,
    older,
    queue: queueHref(filter),
    hrefTo,
    timelineHref: (changes: { show?: TimelineShow; older?: string }) => {
      const chosen = changes.show ?? show;
      return `${hrefTo(kycUUID, { show: chosen === "all" ? undefined : chosen, older: changes.older })}#timeline`;
    },
  };
}
