import type { KycProcessName, KycStatus, KycType } from "@/lib/contract/kyc";
import { formatCount, type Locale } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import type { KycFilter } from "./rules";

// Apart from the schemas, because the browser reads it.

/** Who a case can be started about: a natural or a legal person. */
export const START_TYPES = ["PF", "PJ"] as const;
export type StartType = (typeof START_TYPES)[number];

/** From the least to the most that is checked. */
export const START_MODELS = ["BASIC", "MEDIUM", "COMPLETE"] as const;
type StartModel = (typeof START_MODELS)[number];

export const MEMBER_TYPES = ["SOCIO_ADMINISTRADOR", "SOCIO"] as const;
export const MEMBERS_MAX = 3;

/** For so many days a document that was started asks before it is started again. */
export const REPEAT_DAYS = 30;

/** A start of the same document, or a case that may be the same one's: open, or begun elsewhere and decided lately. */
export type Likeness = {
  /** What a person who goes on all the same has seen. */
  ref: string;
  /** Null: not known yet. */
  kycUUID: string | null;
  /** ISO: when it was started; of a case that was started elsewhere, when it was first seen, or seen decided. */
  at: string;
  /** Null: it was started elsewhere. */
  byName: string | null;
  status: KycStatus | null;
  /** The document itself is the same; else only what of it the provider shows. */
  isSame: boolean;
  /** It was sent and nobody knows what became of it: no other may be. */
  isUnsettled: boolean;
};

/** What somebody must know before the one call. */
export type StartReview = {
  type: StartType;
  model: StartModel;
  documentscopy: boolean;
  likenesses: Likeness[];
  /** A CNPJ with letters: the interface says 14 digits. */
  hasLetters: boolean;
  /** How old those are who are under age. */
  minors: { name: string; age: number }[];
};

/** A case that may have come of a start whose answer was lost. */
export type StartCandidate = { kycUUID: string; firstSeenAt: string; status: KycStatus };

/** A start that was sent, and of which nobody knows yet what became of it. */
export type UnsettledStart = {
  intentId: string;
  type: StartType;
  model: StartModel;
  /** Masked; null when it does not open. */
  document: string | null;
  byName: string;
  /** ISO. */
  at: string;
  /** Its answer may yet come. */
  isSending: boolean;
  candidates: StartCandidate[];
  /** The list was read long enough after it was sent, and shows no candidate. */
  isNotFound: boolean;
};

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
type KycOrder = "asc" | "desc";

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

/** What the provider is told: the text of the reason, and what the person adds to it. The dialog shows it as it is sent. */
export function composeReason(text: string, addition: string): string {
  const added = addition.trim();
  if (added === "") return text;
  return `${text}${/[.!?:;…]$/.test(text) ? "" : "."} ${added}`;
}

/** Whether what is sent begins with this reason. */
export const tellsReason = (told: string, text: string): boolean =>
  told === text || told.startsWith(composeReason(text, "+").slice(0, -1));

const SEPARATORS = /[\s./-]/g;
const CPF = /^\d{11}$/;
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;

/**
 * What was typed into the search, as it may stand in an address: a whole document, right or mistyped, becomes its mask, as
 * the provider's list shows it. An id, a tag and the digits that a mask shows stay.
 */
export function addressable(typed: string): string {
  const text = typed.trim().replaceAll(/\s+/g, " ");
  const signs = text.replaceAll(SEPARATORS, "").toUpperCase();
  if (CPF.test(signs)) return `***.${signs.slice(3, 6)}.${signs.slice(6, 9)}-**`;
  if (CNPJ.test(signs)) return `**.${signs.slice(2, 5)}.${signs.slice(5, 8)}/${signs.slice(8, 12)}-**`;
  return text;
}

type Sought =
  /** All of what a mask shows. */
  | { kind: "mask"; shown: string }
  /** The beginning of an id or of what a mask shows, or a tag. */
  | { kind: "word"; text: string; shown: string | null };

const SHOWN = /^[0-9A-Z]{2,10}$/;

/** What an addressable text looks for. */
export function readSought(text: string): Sought {
  const shown = text.replaceAll(/[^0-9A-Za-z]/g, "").toUpperCase();
  if (text.includes("*")) return { kind: "mask", shown };
  return { kind: "word", text, shown: SHOWN.test(shown) && /\d/.test(shown) ? shown : null };
}

/** Whose doings a timeline shows. */
export const TIMELINE_SHOWS = ["all", "people", "provider"] as const;
export type TimelineShow = (typeof TIMELINE_SHOWS)[number];
