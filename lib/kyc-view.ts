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

/** What is urgent comes first, and what is new. */
export const NATURAL_ORDER: Readonly<Record<KycSort, KycOrder>> = {
  arrival: "desc",
  due: "asc",
  changed: "desc",
  waiting: "asc",
};

/** The order a view has as long as nobody chose another one. */
export const sortOf = (filter: Pick<KycFilter, "view" | "sort">): KycSort =>
  filter.sort ?? (filter.view === "due" ? "due" : "arrival");

export const orderOf = (filter: Pick<KycFilter, "view" | "sort" | "order">): KycOrder =>
  filter.order ?? NATURAL_ORDER[sortOf(filter)];

/** From so many on, cases are not counted one by one: a thousand is a thousand or more. */
export const MOST_COUNTED = 1_000;

/** `12`, or `999+`. */
export const countText = (count: number, locale: Locale): string =>
  count < MOST_COUNTED ? formatCount(count, locale) : `${formatCount(MOST_COUNTED - 1, locale)}+`;

type Values = Record<string, string | undefined>;

/** The filter as it stands in an address, without what is so anyway, and without the place of a page. */
export function filterValues(filter: KycFilter): Values {
  const { view, status, sort, order, tags, after: _, before: __, ids: ___, ...rest } = filter;
  return {
    view: view === "all" ? undefined : view,
    status: status === "open" ? undefined : status,
    ...rest,
    tags: tags?.join(","),
    sort: sort === sortOf({ view, sort: undefined }) ? undefined : sort,
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
