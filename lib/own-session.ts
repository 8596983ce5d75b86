/** One of a person's sessions as its owner sees it; instants are ISO. */
export type OwnSession = {
  ref: string;
  isThis: boolean;
  browser: string | null;
  system: string | null;
  maskedAddress: string | null;
  how: "password" | "oidc";
  secondFactor: boolean;
  openedAt: string;
  seenAt: string;
};
