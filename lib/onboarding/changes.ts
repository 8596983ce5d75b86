import type { onboarding } from "@/lib/store/schema";
import type { OnboardingEvent } from "./events";
import { newMessages, stepOf } from "./standing";

/** What of a row its timeline tells when it changes. */
export type Told = Pick<
  typeof onboarding.$inferSelect,
  "tenant" | "id" | "status" | "stage" | "biometricUrl" | "messages" | "accountId" | "returns"
>;

type Change = Pick<OnboardingEvent, "kind" | "detail">;

/** Whatever the provider calls it, it is the process's step that is told: the words are with the message. */
const MESSAGE_OF_NO_STEP = "other";

function linkChange(before: string | null, after: string | null): Change[] {
  if (before === after) return [];
  if (after === null) return [{ kind: "link-gone" }];
  return [{ kind: before === null ? "link-appeared" : "link-changed" }];
}

function changesOf(before: Told, after: Told): Change[] {
  const { status, stage } = after;
  const isMoved = before.status !== status;
  const told = newMessages(before.messages, after.messages);
  return [
    ...told.map(({ id, actionRequired }): Change => ({
      kind: "message",
      detail: { process: stepOf(id) ?? MESSAGE_OF_NO_STEP, required: actionRequired },
    })),
    ...linkChange(before.biometricUrl, after.biometricUrl),
    ...(after.returns > before.returns ? [{ kind: "returned", detail: { times: after.returns } } as const] : []),
    // An end tells where it was by itself.
    ...(before.stage !== stage && stage !== "done"
      ? [{ kind: "stage", detail: { from: before.stage, to: stage } } as const]
      : []),
    ...(before.accountId === null && after.accountId !== null ? [{ kind: "account-opened" } as const] : []),
    ...(isMoved ? [{ kind: "moved", detail: { from: before.status, to: status } } as const] : []),
  ];
}

/** What the timeline says of an answer; `before` is the row as it was, undefined when it is new. */
export function eventsOf(before: Told | undefined, after: Told): OnboardingEvent[] {
  const of = { tenant: after.tenant, onboardingId: after.id, actor: null };
  const { status, stage, biometricUrl } = after;
  const changes: Change[] =
    before === undefined
      ? [{ kind: "seen", detail: { status, stage } }, ...linkChange(null, biometricUrl)]
      : changesOf(before, after);
  return changes.map(({ kind, detail = {} }) => ({ ...of, kind, detail }));
}
