import type { Canary, Kind } from "./canary";

type Rule = { kind: Kind; place: RegExp; isCounted: boolean; why: string };

const anywhere = (kind: Kind, place: RegExp, why: string): Rule => ({ kind, place, isCounted: false, why });
/** A canary may be in as many places as people requested it. */
const asShown = (kind: Kind, place: RegExp, why: string): Rule => ({ kind, place, isCounted: true, why });

const OWN_ANSWER = /^answer to POST \/(accounts|onboarding|kyc)\/[\w-]+$/;
const FORM = /^answer to (GET|POST) \/(onboarding|kyc|transfers)\/new$/;
const ENROLMENT = /^answer to POST \/(security|enrol)$/;
const INVITING = /^answer to POST \/(staff(\/[\da-f-]{36})?|approvals\/[\da-f-]{36})$/;

const RULES: readonly Rule[] = [
  anywhere("document", /^service database: /, "the embedded service is the provider: customers are its business"),
  anywhere("advertised document", /^(service database: |log$)/, "the demo says at its start whom to look up"),
  anywhere("document", FORM, "whoever fills a form in sees what they typed, also when they come back to it"),
  asShown("document", OWN_ANSWER, "a person said why they need it, that is on record, and this one answer shows it"),
  asShown("second factor", ENROLMENT, "the app must learn its secret, once, when its person sets it up"),
  asShown("recovery code", ENROLMENT, "shown once, for its person to keep"),
  asShown(
    "invitation",
    INVITING,
    "the link is shown once to whoever invites, agrees to it, or issues one for a forgotten password",
  ),
  anywhere("session", /^cookies set by /, "this is how a browser gets its session; no script can read it there"),
];

/** Canaries found in more places than the rules allow: their kinds, never their values. */
export function offences(canary: Canary, places: readonly string[]): string[] {
  const used = new Map<Rule, number>();
  return places.filter((place) => {
    const rule = RULES.find((one) => one.kind === canary.kind && one.place.test(place));
    if (rule === undefined) return true;
    const times = (used.get(rule) ?? 0) + 1;
    used.set(rule, times);
    return rule.isCounted && times > canary.shown;
  });
}
