import { type Denial, forbidden } from "@/lib/errors/denial";

/** Each has a sentence under `staff.denials`. */
export type StaffDenial =
  | "own-account"
  | "works-elsewhere"
  | "closed-account"
  | "no-password"
  | "break-glass"
  | "link-alone";

type Self = { isSelf: boolean };
type Elsewhere = Self & { worksElsewhere: boolean };
/** `isLinkEnough`: the link alone would let the administrator in. */
type Linked = Elsewhere & { hasPassword: boolean; isBreakGlass: boolean; isLinkEnough: boolean };
type Verdict = Denial<StaffDenial> | null;

const change = ({ isSelf }: Self): Verdict => (isSelf ? forbidden("own-account") : null);

export const staffCan = {
  change,
  enable: (person: Self & { isClosed: boolean }): Verdict =>
    change(person) ?? (person.isClosed ? forbidden("closed-account") : null),
  resetFactor: (person: Elsewhere): Verdict =>
    change(person) ?? (person.worksElsewhere ? forbidden("works-elsewhere") : null),
  issueLink: (person: Linked): Verdict =>
    change(person) ??
    (person.hasPassword ? null : forbidden("no-password")) ??
    (person.isBreakGlass ? forbidden("break-glass") : null) ??
    (person.worksElsewhere ? forbidden("works-elsewhere") : null) ??
    (person.isLinkEnough ? forbidden("link-alone") : null),
};
