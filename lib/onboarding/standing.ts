import { maskWithin } from "@/lib/contract/document";
import type { OnboardingMessage, OnboardingStatus } from "@/lib/contract/onboarding";
import { type OnboardingEventKind, type Stage, type Step, STEPS, type WhoActs } from "@/lib/db/enums/onboarding";
import type { onboarding } from "@/lib/db/tables/customers";
import { isoOf } from "@/lib/text/read-time";

export type KnownStatus = {
  status: OnboardingStatus;
  biometricUrl: string | null;
  messages: readonly OnboardingMessage[];
  accountId: string | null;
  hadLink: boolean;
  isSuperseded: boolean;
};

// The interface names two processes; providers name others alike.
const PROCESSES: readonly (readonly [RegExp, Step])[] = [
  [/background/i, "background-check"],
  [/biometric|document|selfie|liveness/i, "biometrics"],
  [/proposal/i, "proposal"],
  [/create|account/i, "account"],
];

export function onboardingStep(process: string): Step | null {
  return PROCESSES.find(([named]) => named.test(process))?.[1] ?? null;
}

const byDate = (messages: readonly OnboardingMessage[]) =>
  messages
    .map((message) => ({ ...message, date: isoOf(message.date) }))
    .toSorted((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)));

export function lastSaid(messages: readonly OnboardingMessage[]): string | null {
  const said = byDate(messages).map(({ message }) => message.trim());
  const last = said.findLast((text) => text !== "");
  return last === undefined ? null : maskWithin(last);
}

/** From the last message's process and the biometric link. */
export function stageOf({ status, biometricUrl, messages, accountId, hadLink }: KnownStatus): Stage {
  if (status === "CONFIRMED") return "done";
  if (status === "PROCESSING" && biometricUrl !== null) return "biometrics";
  const steps = byDate(messages).flatMap(({ id }) => onboardingStep(id) ?? []);
  const last = steps.at(-1);
  if (last !== undefined) return last;
  if (accountId !== null) return "account";
  // The biometrics are done, and the provider asks for nothing more.
  return status === "PROCESSING" && hadLink ? "proposal" : "background-check";
}

/** A refusal that nobody can mend is ours to explain, until a retry. */
export function whoActs({ status, biometricUrl, messages, isSuperseded }: KnownStatus): WhoActs {
  if (status === "CONFIRMED" || (status === "ERROR" && isSuperseded)) return "nobody";
  if (messages.some(({ actionRequired }) => actionRequired)) return "holder";
  if (status !== "PROCESSING") return "us";
  return biometricUrl === null ? "provider" : "holder";
}

export type StepState = "passed" | "current" | "refused" | "ahead";

/** Some providers start with the biometrics. */
function orderOf(known: KnownStatus, stage: Stage): readonly Step[] {
  const [background, biometrics, ...later] = STEPS;
  const steps = byDate(known.messages).flatMap(({ id }) => onboardingStep(id) ?? []);
  const biometricsAt = steps.indexOf("biometrics");
  const backgroundAt = steps.indexOf("background-check");
  const isReversed =
    biometricsAt === -1
      ? known.hadLink && stage === "background-check"
      : backgroundAt !== -1 && biometricsAt < backgroundAt;
  return isReversed ? [biometrics, background, ...later] : STEPS;
}

export function stepsOf(known: KnownStatus): { step: Step; state: StepState }[] {
  const stage = stageOf(known);
  const order = orderOf(known, stage);
  const at = stage === "done" ? order.length : order.indexOf(stage);
  return order.map((step, index) => {
    if (index !== at) return { step, state: index < at ? "passed" : "ahead" };
    return { step, state: known.status === "ERROR" ? "refused" : "current" };
  });
}

const keyOf = ({ id, date, message, status, actionRequired, url }: OnboardingMessage) =>
  JSON.stringify([id, date, message, status, actionRequired, url ?? null]);

/** Compared by meaning, as the store reorders a message's keys. */
export function isSameOnboarding(before: readonly OnboardingMessage[], after: readonly OnboardingMessage[]): boolean {
  return JSON.stringify(before.map(keyOf)) === JSON.stringify(after.map(keyOf));
}

function newMessages(before: readonly OnboardingMessage[], after: readonly OnboardingMessage[]) {
  const known = new Set(before.map(keyOf));
  return after.filter((message) => !known.has(keyOf(message)));
}

type Reported = Pick<KnownStatus, "biometricUrl" | "messages">;

/** A new request, or a new link after one was gone; not the first biometrics or a changed URL. */
export function isReturn(before: Reported & { hadLink: boolean }, after: Reported): boolean {
  const isLinkBack = before.hadLink && before.biometricUrl === null && after.biometricUrl !== null;
  const isAsked = before.hadLink || before.messages.some(({ id }) => onboardingStep(id) === "biometrics");
  const asked = newMessages(before.messages, after.messages).filter(({ actionRequired }) => actionRequired);
  return isLinkBack || asked.some(({ id }) => isAsked || onboardingStep(id) !== "biometrics");
}

export type OnboardingEvent = {
  tenant: string;
  onboardingId: string;
  kind: OnboardingEventKind;
  /** Staff id; null: the provider or the system. */
  actor: string | null;
  /** Ids, codes and numbers; never personal data. */
  detail?: Record<string, string | number | boolean | null>;
};

type StoredState = Pick<
  typeof onboarding.$inferSelect,
  "tenant" | "id" | "status" | "stage" | "biometricUrl" | "messages" | "accountId" | "returns"
>;

type Change = Pick<OnboardingEvent, "kind" | "detail">;

/** Unknown steps: the provider's words are with the message. */
const MESSAGE_OF_NO_STEP = "other";

function linkChange(before: string | null, after: string | null): Change[] {
  if (before === after) return [];
  if (after === null) return [{ kind: "link-gone" }];
  return [{ kind: before === null ? "link-appeared" : "link-changed" }];
}

function changesOf(before: StoredState, after: StoredState): Change[] {
  const { status, stage } = after;
  const isMoved = before.status !== status;
  const fields = newMessages(before.messages, after.messages);
  return [
    ...fields.map(({ id, actionRequired }): Change => ({
      kind: "message",
      detail: { process: onboardingStep(id) ?? MESSAGE_OF_NO_STEP, required: actionRequired },
    })),
    ...linkChange(before.biometricUrl, after.biometricUrl),
    ...(after.returns > before.returns ? [{ kind: "returned", detail: { times: after.returns } } as const] : []),
    // A final state implies its stage.
    ...(before.stage !== stage && stage !== "done"
      ? [{ kind: "stage", detail: { from: before.stage, to: stage } } as const]
      : []),
    ...(before.accountId === null && after.accountId !== null ? [{ kind: "account-opened" } as const] : []),
    ...(isMoved ? [{ kind: "moved", detail: { from: before.status, to: status } } as const] : []),
  ];
}

export function eventsOf(before: StoredState | undefined, after: StoredState): OnboardingEvent[] {
  const of = { tenant: after.tenant, onboardingId: after.id, actor: null };
  const { status, stage, biometricUrl } = after;
  const changes: Change[] =
    before === undefined
      ? [{ kind: "seen", detail: { status, stage } }, ...linkChange(null, biometricUrl)]
      : changesOf(before, after);
  return changes.map(({ kind, detail = {} }) => ({ ...of, kind, detail }));
}
