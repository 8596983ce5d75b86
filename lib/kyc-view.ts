import type { KycProcessName, KycStatus, KycType } from "@/lib/contract/kyc";
import { formatCount, type Locale } from "@/lib/format";
import { hrefWith } from "@/lib/href";
import type { KycFilter } from "@/lib/kyc/rules";

/** Whose cases, in the order of their tabs. Apart from the schemas, because the browser reads it. */
export const KYC_VIEWS = ["mine", "unassigned", "due", "all"] as const;
export type KycView = (typeof KYC_VIEWS)[number];

/** The choices of the status, in their order: `open` is what nobody has decided. */
export const KYC_STANDINGS = ["open", "PENDING", "PROCESSING", "APPROVED", "REPROVED", "all"] as const satisfies (
  | KycStatus
  | "open"
  | "all"
)[];
export type KycStanding = (typeof KYC_STANDINGS)[number];

export const KYC_DUES = ["late", "soon", "later"] as const;
/** First seen at least so many days ago. */
export const KYC_AGES = ["1", "3", "7", "30"] as const;

/** The stages that the interface names. */
export const KYC_PROCESSES_SHOWN = ["kyc-backgroundcheck", "kyc-documentscopy"] as const satisfies KycProcessName[];

export const KYC_TYPES_SHOWN = ["PF", "PJ"] as const satisfies KycType[];

export const KYC_SORTS = ["arrival", "due", "changed", "waiting"] as const;
export type KycSort = (typeof KYC_SORTS)[number];
export type KycOrder = "asc" | "desc";

/** What is urgent comes first, then what is new. */
export const NATURAL_ORDER: Readonly<Record<KycSort, KycOrder>> = {
  arrival: "desc",
  due: "asc",
  changed: "desc",
  waiting: "asc",
};

type Chosen = Pick<KycFilter, "view" | "status">;

/** The order a list has as long as nobody chose another one: what waits for people is worked by its deadline. */
export const sortOf = ({ view, status, sort }: Chosen & Pick<KycFilter, "sort">): KycSort =>
  sort ?? (view === "due" || status === "open" || status === "PENDING" ? "due" : "arrival");

export const orderOf = (filter: Chosen & Pick<KycFilter, "sort" | "order">): KycOrder =>
  filter.order ?? NATURAL_ORDER[sortOf(filter)];

/** Cases of which no count is kept are counted one by one no further than this. */
export const MOST_COUNTED = 99;

/** How many cases; when it is not exact, more than so many. */
export type CaseCount = { cases: number; isExact: boolean };

/** `12`, or `99+`. */
export const countText = ({ cases, isExact }: CaseCount, locale: Locale): string =>
  `${formatCount(cases, locale)}${isExact ? "" : "+"}`;

type Values = Record<string, string | undefined>;

/** The filter as it stands in an address, without what is so anyway, and without the place of a page. */
export function filterValues(filter: KycFilter): Values {
  const { view, status, sort, order, tags, after: _, before: __, ids: ___, ...rest } = filter;
  return {
    view: view === "all" ? undefined : view,
    status: status === "open" ? undefined : status,
    ...rest,
    tags: tags?.join(","),
    sort: sort === sortOf({ view, status, sort: undefined }) ? undefined : sort,
    order: order === NATURAL_ORDER[sortOf(filter)] ? undefined : order,
  };
}

/** The filter as text, by which two are compared: what stands behind the question mark of the list's address. */
export const queueSearch = (filter: KycFilter): string => hrefWith("", filterValues(filter)).slice(1);

/** The list under a filter. Its plain address is the one that opens with what the person chose for it. */
export function queueHref(filter: KycFilter, changes: Partial<KycFilter> = {}): string {
  const changed = { ...filter, ...changes };
  const { after, before } = changes;
  const href = hrefWith("/kyc", { ...filterValues(changed), after, before });
  return href === "/kyc" ? "/kyc?view=all" : href;
}
