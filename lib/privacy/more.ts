import { z } from "zod";
import { ASKED, executeOrPropose, type Proposed, storedKind } from "@/lib/approvals/propose";
import { shownText } from "@/lib/approvals/snapshot";
import { record } from "@/lib/audit/record";
import { maskWithin } from "@/lib/contract/document";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { nothing } from "@/lib/provider/intents/intent-record";
import { AskingMore } from "./inputs";
import { ALONE_PER_HOUR, countOfLastHour } from "./reveal";

const MoreOrder = AskingMore.extend({ staffId: z.uuid() });
type MoreOrder = z.output<typeof MoreOrder>;

export const moreApproval = storedKind({
  name: "privacy.more",
  permission: "pii:reveal",
  order: MoreOrder,
  isExclusive: true,
  objectOf: async ({ order }) => `staff:${order.staffId}`,
  validate: async (_, { id }, { staffId }) => {
    if (staffId !== id) throw new AppError("forbidden");
  },
  needsApproval: async () => ASKED,
  proposed: nothing,
  show: async ({ store, tenant, makerId, order }) => {
    const seen = await countOfLastHour(store, { tenant, id: makerId });
    return {
      headline: { as: "kind", kind: "privacy.more" },
      href: null,
      facts: [
        { name: "seen", before: null, after: shownText(String(seen)) },
        { name: "reason", before: null, after: shownText(maskWithin(order.note)) },
      ],
    };
  },
  apply: async (tx, { tenant, id: actor }, { intentId }) => {
    const what = { code: "personal-data.more", outcome: "DONE", object: `staff:${actor}`, intentId } as const;
    await record(tx, { tenant, actor, ...what, detail: { reveals: ALONE_PER_HOUR } });
    return null;
  },
});

export const askForMore = (actor: Actor<"pii:reveal">, asked: AskingMore): Promise<Proposed | null> =>
  executeOrPropose(moreApproval, actor, { ...asked, staffId: actor.id });
