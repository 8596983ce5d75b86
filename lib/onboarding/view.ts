import { hrefWith } from "@/lib/text/page";

/** The queue's views, in the order of their tabs. Apart from the schemas, because the browser reads it. */
export const ONBOARDING_VIEWS = ["open", "ERROR", "CONFIRMED", "all"] as const;
export type OnboardingView = (typeof ONBOARDING_VIEWS)[number];

/** What a proposal goes through; of the first two either may come first. */
export const STEPS = ["background-check", "biometrics", "proposal", "account"] as const;
export type Step = (typeof STEPS)[number];

export const STAGES = [...STEPS, "done"] as const;
export type Stage = (typeof STAGES)[number];

/** Who has to move next, in the order of what is most urgent for our people. */
export const ACTORS = ["us", "holder", "provider", "nobody"] as const;
export type WhoActs = (typeof ACTORS)[number];

export const ONBOARDING_KINDS = ["PF", "PJ"] as const;
export type OnboardingKind = (typeof ONBOARDING_KINDS)[number];

/** For how many hours at least it has been going on, as the filter offers it. */
export const AGES = ["1", "24", "72", "168"] as const;
type LeastAge = (typeof AGES)[number];

/** How often it came back at least, as the filter offers it. */
export const LEAST_RETURNS = ["1", "2", "3"] as const;
type LeastReturns = (typeof LEAST_RETURNS)[number];

export const ONBOARDING_ORDERS = ["begun", "changed", "checked", "returns"] as const;
export type OnboardingOrder = (typeof ONBOARDING_ORDERS)[number];

/** How a link reached somebody: drawn as a QR code to be scanned, or copied. */
export const LINK_USES = ["shown", "copied"] as const;
export type LinkUse = (typeof LINK_USES)[number];

/** The queue's filter as its screen passes it on. */
export type QueueFilter = {
  status: OnboardingView;
  acts?: WhoActs | undefined;
  stage?: Stage | undefined;
  kind?: OnboardingKind | undefined;
  age?: LeastAge | undefined;
  returns?: LeastReturns | undefined;
  person?: string | undefined;
  sort: OnboardingOrder;
  dir: "asc" | "desc";
  page: number;
};

/** What of a filter stands in an address: what is as it would be anyway is left out, but for the view, which names the list. */
export function addressedFilter({ status, sort, dir, page, ...narrowing }: QueueFilter) {
  return {
    status,
    ...narrowing,
    sort: sort === "begun" ? null : sort,
    dir: dir === "desc" ? null : dir,
    page: page === 1 ? null : page,
  };
}

/** The queue under a filter, from its first page on. Its plain address opens with what the person chose for it. */
export const queueHref = (filter: QueueFilter, changes: Partial<QueueFilter> = {}): string =>
  hrefWith("/onboarding", addressedFilter({ ...filter, page: 1, ...changes }));

/** The filter as text, by which two are compared: what stands behind the question mark of the list's address. */
export const queueSearch = (filter: QueueFilter): string =>
  hrefWith("", addressedFilter({ ...filter, page: 1 })).slice(1);

/** The queue without a filter of one's own. */
export const PLAIN_HREF = "/onboarding?status=open";
