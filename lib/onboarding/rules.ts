import { z } from "zod";
import { isCnpj, isCpf, normaliseDocument } from "@/lib/contract/document";
import { ONBOARDING_STATUSES, type OnboardingMessage, type OnboardingStatus } from "@/lib/contract/onboarding";
import { Required } from "@/lib/contract/shared";

export const ONBOARDING_VIEWS = ["open", "action", ...ONBOARDING_STATUSES, "all"] as const;
export type OnboardingView = (typeof ONBOARDING_VIEWS)[number];

/** The queue's filter as it stands in the address; what does not fit becomes the default. */
export const OnboardingFilter = z.object({
  status: z.enum(ONBOARDING_VIEWS).catch("open"),
  page: z.coerce.number().int().min(1).catch(1),
});
export type OnboardingFilter = z.output<typeof OnboardingFilter>;

/**
 * What people type to find a customer: a CPF or CNPJ, with or without punctuation, or an onboarding id, whose format is
 * opaque. Numbers as long as a document must be one, so that a slip is caught before anything is sent.
 */
export const CustomerQuery = Required.max(200)
  .refine((typed) => isDocument(typed) || !/^(\d{11}|\d{14})$/.test(normaliseDocument(typed)), {
    params: { code: "document" },
  })
  .transform((typed) => (isDocument(typed) ? normaliseDocument(typed) : typed));

export function isDocument(typed: string): boolean {
  const document = normaliseDocument(typed);
  return isCpf(document) || isCnpj(document);
}

export const STAGES = ["background-check", "biometrics", "account", "done"] as const;
export type Stage = (typeof STAGES)[number];
export type WhoActs = "holder" | "provider" | "us" | "nobody";

type Known = { status: OnboardingStatus; biometricUrl: string | null; messages: readonly OnboardingMessage[] };

/** Where a proposal stands, read from the process of its last message and from the biometric link. */
export function stageOf({ status, biometricUrl, messages }: Known): Stage {
  if (status === "CONFIRMED") return "done";
  const last = messages.toSorted((a, b) => a.date.localeCompare(b.date)).at(-1);
  if (last?.id === "onboarding-biometrics" || (status === "PROCESSING" && biometricUrl !== null)) return "biometrics";
  return "background-check";
}

/** Who has to move next. A refusal nobody can mend by acting is ours to explain. */
export function whoActs({ status, biometricUrl, messages }: Known): WhoActs {
  if (status === "CONFIRMED") return "nobody";
  if (messages.some((message) => message.actionRequired)) return "holder";
  if (status !== "PROCESSING") return "us";
  return biometricUrl === null ? "provider" : "holder";
}

const MINUTE_MS = 60_000;

/** When to look again: 30 s in the first five minutes (interface: Limits), then wider; null once the state is final. */
export function nextCheckAt(status: OnboardingStatus, since: Date, now: Date): Date | null {
  if (status === "CONFIRMED" || status === "ERROR") return null;
  const ageMs = now.getTime() - since.getTime();
  const waitMs =
    ageMs < 5 * MINUTE_MS
      ? MINUTE_MS / 2
      : ageMs < 60 * MINUTE_MS
        ? 2 * MINUTE_MS
        : ageMs < 24 * 60 * MINUTE_MS
          ? 10 * MINUTE_MS
          : 60 * MINUTE_MS;
  return new Date(now.getTime() + waitMs);
}
