/** In the order in which a company takes them. */
export const FIRST_STEPS = ["provider", "team", "approver", "policy", "webhook", "account"] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

export type FirstSteps = {
  done: Record<FirstStep, boolean>;
  /** The HTTP status of the provider's last answer; null: it has not answered yet. */
  lastStatus: number | null;
  /** Invitations neither accepted nor revoked. */
  invited: number;
  /** Where the provider delivers events to. */
  ownAddress: string;
};
