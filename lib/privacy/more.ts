import { z } from "zod";
import { defineChange } from "@/lib/approvals/define-write";
import { ASKED, executeOrPropose } from "@/lib/approvals/propose";
import { shownText } from "@/lib/approvals/snapshot";
import { record } from "@/lib/audit/record";
import { maskWithin } from "@/lib/contract/document";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { nothing, type Proposed } from "@/lib/provider/intents/intent-record";
import { AskingMore } from "./inputs";
import { ALONE_PER_HOUR, countOfLastHour } from "./reveal";

const MoreOrder = AskingMore.extend({ staffId: z.uuid() });
type MoreOrder = z.output<typeof MoreOrder>;

export const revealMore = defineChange({
  name: "privacy.more",
  order: MoreOrder,
  objectOf: async (_store, _tenant, { staffId }) => `staff:${staffId}`,
  validate: async (_tx, { actor, order }) => {
    if (order.staffId !== actor.id) throw new AppError("forbidden");
  },
  approval: {
    isExclusive: true,
    needsApproval: async () => ASKED,
    show: async (tx, { actor, order }) => ({
      headline: { as: "kind", kind: "privacy.more" },
      href: null,
      facts: [
        { name: "seen", before: null, after: shownText(String(await countOfLastHour(tx, actor))) },
        { name: "reason", before: null, after: shownText(maskWithin(order.note)) },
      ],
    }),
    proposed: nothing,
  },
  apply: async (tx, { actor: { tenant, id: actor }, object, order: { intentId } }) => {
    const what = { code: "personal-data.more", outcome: "DONE", object, intentId } as const;
    await record(tx, { tenant, actor, ...what, detail: { reveals: ALONE_PER_HOUR } });
    return null;
  },
});

export const askForMore = (actor: Actor<"pii:reveal">, asked: AskingMore): Promise<Proposed | null> =>
  executeOrPropose(revealMore, actor, { ...asked, staffId: actor.id });
