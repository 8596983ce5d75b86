import type { OnboardingMessage, OnboardingStatus } from "@/lib/contract/onboarding";
import { type Stage, type Step, STEPS, type WhoActs } from "@/lib/db/enums/onboarding";

export type Known = {
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

export function stepOf(process: string): Step | null {
  return PROCESSES.find(([named]) => named.test(process))?.[1] ?? null;
}

const byDate = (messages: readonly OnboardingMessage[]) =>
  messages.toSorted((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)));

/** From the last message's process and the biometric link. */
export function stageOf({ status, biometricUrl, messages, accountId, hadLink }: Known): Stage {
  if (status === "CONFIRMED") return "done";
  if (status === "PROCESSING" && biometricUrl !== null) return "biometrics";
  const steps = byDate(messages).flatMap(({ id }) => stepOf(id) ?? []);
  const last = steps.at(-1);
  if (last !== undefined) return last;
  if (accountId !== null) return "account";
  // The biometrics are done, and the provider asks for nothing more.
  return status === "PROCESSING" && hadLink ? "proposal" : "background-check";
}

/** A refusal that nobody can mend is ours to explain, until a retry. */
export function whoActs({ status, biometricUrl, messages, isSuperseded }: Known): WhoActs {
  if (status === "CONFIRMED" || (status === "ERROR" && isSuperseded)) return "nobody";
  if (messages.some(({ actionRequired }) => actionRequired)) return "holder";
  if (status !== "PROCESSING") return "us";
  return biometricUrl === null ? "provider" : "holder";
}

export type StepState = "passed" | "current" | "refused" | "ahead";

/** Some providers begin with the biometrics. */
function orderOf(known: Known, stage: Stage): readonly Step[] {
  const [background, biometrics, ...later] = STEPS;
  const steps = byDate(known.messages).flatMap(({ id }) => stepOf(id) ?? []);
  const [biometricsAt, backgroundAt] = [steps.indexOf("biometrics"), steps.indexOf("background-check")];
  const isReversed =
    biometricsAt === -1
      ? known.hadLink && stage === "background-check"
      : backgroundAt !== -1 && biometricsAt < backgroundAt;
  return isReversed ? [biometrics, background, ...later] : STEPS;
}

export function stepsOf(known: Known): { step: Step; state: StepState }[] {
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

/** Compared by meaning: the store orders a message's keys its own way. */
export function saysTheSame(before: readonly OnboardingMessage[], after: readonly OnboardingMessage[]): boolean {
  return JSON.stringify(before.map(keyOf)) === JSON.stringify(after.map(keyOf));
}

export function newMessages(before: readonly OnboardingMessage[], after: readonly OnboardingMessage[]) {
  const known = new Set(before.map(keyOf));
  return after.filter((message) => !known.has(keyOf(message)));
}

type Reported = Pick<Known, "biometricUrl" | "messages">;

/** A new request, or a new link after one was gone. The first biometrics and a changed address are none. */
export function isReturn(before: Reported & { hadLink: boolean }, after: Reported): boolean {
  const isLinkBack = before.hadLink && before.biometricUrl === null && after.biometricUrl !== null;
  const isAsked = before.hadLink || before.messages.some(({ id }) => stepOf(id) === "biometrics");
  const asked = newMessages(before.messages, after.messages).filter(({ actionRequired }) => actionRequired);
  return isLinkBack || asked.some(({ id }) => isAsked || stepOf(id) !== "biometrics");
}
