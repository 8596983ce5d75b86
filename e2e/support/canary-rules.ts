import type { Canary, Kind } from "./canary";

type Rule = {
  kind: Kind;
  place: RegExp;
  /** How many places may hold one canary; `as shown`: as many as people asked for it. */
  times: "any" | "as shown";
  why: string;
};

const RULES: readonly Rule[] = [
  {
    kind: "document",
    place: /^service database: /,
    times: "any",
    why: "the embedded service is the provider: customers are its business. No secret and no token is in clear there.",
  },
  {
    kind: "advertised document",
    place: /^(service database: |log$)/,
    times: "any",
    why: "the demo says at its start whom to look up",
  },
  {
    kind: "document",
    place: /^answer to (GET|POST) \/(onboarding|kyc|transfers)\/new$/,
    times: "any",
    why: "whoever fills a form in sees what they typed, also when they come back to it; nobody else does",
  },
  {
    kind: "document",
    place: /^answer to POST \/(accounts|onboarding|kyc)\/[\w-]+$/,
    times: "as shown",
    why: "a person said why they need it, that is on record, and this one answer shows it",
  },
  {
    kind: "document",
    place: /^answer to GET \/(kyc|onboarding|transfers)\/new$/,
    times: "any",
    why: "what somebody typed and left in a form is there for them, and for nobody else, whenever they open it",
  },
  {
    kind: "second factor",
    place: /^answer to POST \/(security|enrol)$/,
    times: "as shown",
    why: "the app must learn its secret, once, when its person sets it up",
  },
  {
    kind: "recovery code",
    place: /^answer to POST \/(security|enrol)$/,
    times: "as shown",
    why: "shown once, for its person to keep",
  },
  {
    kind: "invitation",
    place: /^answer to POST \/staff(\/[\da-f-]{36})?$/,
    times: "as shown",
    why: "the link is shown once to whoever invites, or issues one for a forgotten password",
  },
  {
    kind: "session",
    place: /^cookies set by /,
    times: "any",
    why: "this is how a browser gets its session; no script can read it there",
  },
];

/** What may not be: in more places than the rules allow, told by the kind alone, never by the canary. */
export function offences(canary: Canary, places: readonly string[]): string[] {
  const used = new Map<Rule, number>();
  return places.filter((place) => {
    const rule = RULES.find((one) => one.kind === canary.kind && one.place.test(place));
    if (rule === undefined) return true;
    const times = (used.get(rule) ?? 0) + 1;
    used.set(rule, times);
    return rule.times === "as shown" && times > canary.shown;
  });
}
