export const STEPS = ["background-check", "biometrics", "proposal", "account"] as const;
export type Step = (typeof STEPS)[number];

export const STAGES = [...STEPS, "done"] as const;
export type Stage = (typeof STAGES)[number];

/** Most urgent for our people first. */
export const ACTORS = ["us", "holder", "provider", "nobody"] as const;
export type WhoActs = (typeof ACTORS)[number];

export const ONBOARDING_KINDS = ["PF", "PJ"] as const;
export type OnboardingKind = (typeof ONBOARDING_KINDS)[number];

export const ONBOARDING_EVENT_KINDS = [
  /** First seen; detail: status, stage. */
  "seen",
  /** The provider moved it; detail: from, to. */
  "moved",
  /** detail: from, to. */
  "stage",
  /** Returned to the holder; detail: times. */
  "returned",
  /** The provider wrote to the holder; detail: process, required. */
  "message",
  /** detail: link, host. */
  "link-appeared",
  "link-changed",
  "link-gone",
  /** A person saw or copied the biometric link; detail: link. */
  "link-shown",
  "link-copied",
  /** detail: account (its reference). */
  "account-opened",
  /** A person requested the account here. */
  "requested",
  "followed",
  /** detail: older. Without an actor: the older attempt of the same document had ended. */
  "attempt-linked",
  "attempt-unlinked",
  /** detail: noteId. */
  "noted",
  "note-retracted",
  /** detail: fileId. */
  "file-added",
  "file-removed",
] as const;
export type OnboardingEventKind = (typeof ONBOARDING_EVENT_KINDS)[number];
