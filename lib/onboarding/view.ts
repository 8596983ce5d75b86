import { hrefWith } from "@/lib/text/page";

/** Apart from the schemas, because the browser reads it. */
export const ONBOARDING_VIEWS = ["open", "ERROR", "CONFIRMED", "all"] as const;
export type OnboardingView = (typeof ONBOARDING_VIEWS)[number];

export const STEPS = ["background-check", "biometrics", "proposal", "account"] as const;
export type Step = (typeof STEPS)[number];

export const STAGES = [...STEPS, "done"] as const;
export type Stage = (typeof STAGES)[number];

/** Most urgent for our people first. */
export const ACTORS = ["us", "holder", "provider", "nobody"] as const;
export type WhoActs = (typeof ACTORS)[number];

export const ONBOARDING_KINDS = ["PF", "PJ"] as const;
export type OnboardingKind = (typeof ONBOARDING_KINDS)[number];

export const AGES = ["1", "24", "72", "168"] as const;
type LeastAge = (typeof AGES)[number];

export const LEAST_RETURNS = ["1", "2", "3"] as const;
type LeastReturns = (typeof LEAST_RETURNS)[number];

export const ONBOARDING_ORDERS = ["begun", "changed", "checked", "returns"] as const;
export type OnboardingOrder = (typeof ONBOARDING_ORDERS)[number];

export const LINK_USES = ["shown", "copied"] as const;
export type LinkUse = (typeof LINK_USES)[number];

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

/** Without defaults, but always with the view, which names the list. */
export function addressedFilter({ status, sort, dir, page, ...narrowing }: QueueFilter) {
  return {
    status,
    ...narrowing,
    sort: sort === "begun" ? null : sort,
    dir: dir === "desc" ? null : dir,
    page: page === 1 ? null : page,
  };
}

/** The first page. The plain address opens with the person's own choice. */
export const queueHref = (filter: QueueFilter, changes: Partial<QueueFilter> = {}): string =>
  hrefWith("/onboarding", addressedFilter({ ...filter, page: 1, ...changes }));

export const queueSearch = (filter: QueueFilter): string =>
  hrefWith("", addressedFilter({ ...filter, page: 1 })).slice(1);

export const PLAIN_HREF = "/onboarding?status=open";
