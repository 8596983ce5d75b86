import { and, eq } from "drizzle-orm";
import type { MakerKind } from "@/lib/approvals/approval-kind";
import { complete } from "@/lib/approvals/verdict";
import { completeAlone, type Proposed, proposeToComplete } from "@/lib/approvals/propose";
import { type Shown, shownBrl, shownText } from "@/lib/approvals/frozen";
import type { Concluded } from "@/lib/approvals/verdict";
import type { Actor } from "@/lib/auth/grant";
import { publish } from "@/lib/live/publish";
import { account } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import type { z } from "zod";
import { closeAccount } from "./close";
import { accountClosing, closureBody } from "./close-kind";
import { type CarryingOut, type ClosingNow, type ClosureForm, ClosureOrder, type HolderProof } from "./close-rules";
import { readClosable } from "./terms";

type Closer = Actor<"accounts:close">;

type Fact = Shown["facts"][number];

const told = (name: Fact["name"], after: Fact["after"]): Fact => ({ name, before: null, after });

async function show(tenant: string, order: ClosureOrder): Promise<Shown> {
  const { ref, number, userId, reason, seen } = order;
  const [row] = await (
    await db()
  )
    .select({ branch: account.branch, mask: account.documentMask })
    .from(account)
    .where(and(eq(account.tenant, tenant), eq(account.ref, ref)));
  return {
    headline: shownText(`${row?.branch ?? ""} / ${number}`),
    href: `/accounts/${ref}`,
    facts: [
      {
        name: "status",
        before: { as: "account-status", status: "OPEN" },
        after: { as: "account-status", status: "CLOSED" },
      },
      told("document", shownText(row?.mask ?? "")),
      told("balance", shownBrl(seen.balance)),
      told("blocked", shownBrl(seen.blockedBalance)),
      told("user", shownText(userId)),
      told("reason", shownText(reason)),
    ],
  };
}

const closureApproval: MakerKind<"accounts:close", ClosureOrder, HolderProof, unknown> = {
  name: "account.close",
  permission: "accounts:close",
  order: ClosureOrder,
  bytesOf: (order) => accountClosing.tracedOf(closureBody(order)),
  isExclusive: true,
  objectOf: async (_tenant, { ref }) => `account:${ref}`,
  isGrave: async ({ policy }) => policy.rule !== "never",
  // Who looks at the account sees that it is proposed.
  admit: (tx, { tenant }, { ref }) => publish(tx, { tenant, topic: "transfers", object: `account:${ref}` }),
  show,
  perform: closeAccount,
};

/** The order with what the account held just before, when nothing stands in the way. */
async function orderFrom(actor: Closer, form: ClosureForm): Promise<ClosureOrder> {
  const { row, seen } = await readClosable(actor, form);
  const { balance, blockedBalance } = seen;
  return { ...form, number: row.number, seen: { balance, blockedBalance } };
}

/**
 * Proposes to close an account; its maker carries it out once somebody authorised it. Throws as `readClosable` and
 * `proposeToComplete` do.
 */
export const proposeClosure = async (actor: Closer, form: ClosureForm): Promise<Proposed> =>
  proposeToComplete(closureApproval, actor, await orderFrom(actor, form));

/** Carries out what somebody authorised, with what only the holder has; throws as `complete` and `closeAccount` do. */
export const carryOutClosure = (
  actor: Closer,
  { approvalId, ...completion }: z.output<typeof CarryingOut>,
): Promise<Concluded> => complete(closureApproval, actor, { approvalId, completion });

/** Closes at once, where the policy asks for nobody else; throws as `completeAlone` and `closeAccount` do. */
export async function closeNow(
  actor: Closer,
  { userAccessToken, code, ...form }: z.output<typeof ClosingNow>,
): Promise<null> {
  const order = await orderFrom(actor, form);
  await completeAlone(closureApproval, actor, { order, completion: { userAccessToken, code } });
  return null;
}
