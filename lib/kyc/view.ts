import type { KycProcessName, KycStatus, KycType } from "@/lib/contract/kyc";
import { formatCount, type Locale } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";

// Separate from the schemas, because the browser reads it.

export const STATUSES = ["APPROVED", "REPROVED", "PROCESSING", "PENDING"] as const satisfies KycStatus[];

export const START_TYPES = ["PF", "PJ"] as const;
export type StartType = (typeof START_TYPES)[number];

export const START_MODELS = ["BASIC", "MEDIUM", "COMPLETE"] as const;
type StartModel = (typeof START_MODELS)[number];

export const MEMBER_TYPES = ["SOCIO_ADMINISTRADOR", "SOCIO"] as const;
export const MEMBERS_MAX = 3;

/** Days for which starting the same document again asks first. */
export const REPEAT_DAYS = 30;

/** A start of the same document, or a case that may be the same person's. */
export type PossibleDuplicate = {
  ref: string;
  kycUUID: string | null;
  /** The start, or the first sight of a case started elsewhere. */
  at: string;
  byName: string | null;
  status: KycStatus | null;
  isSame: boolean;
  /** Sent, outcome unknown: no other may be started. */
  isUnconfirmed: boolean;
};

export type StartReview = {
  type: StartType;
  model: StartModel;
  documentscopy: boolean;
  duplicates: PossibleDuplicate[];
  /** CNPJ with letters: the interface says 14 digits. */
  hasLetters: boolean;
  minors: { name: string; age: number }[];
};

export type StartCandidate = { kycUUID: string; firstSeenAt: string; status: KycStatus };

export type UnconfirmedStart = {
  intentId: string;
  type: StartType;
  model: StartModel;
  /** Masked; null when it does not open. */
  document: string | null;
  byName: string;
  at: string;
  isSending: boolean;
  candidates: StartCandidate[];
  /** The list was read long enough after sending, without a candidate. */
  isNotFound: boolean;
};

export const KYC_VIEWS = ["mine", "unassigned", "due", "all", "put-off", "escalated"] as const;
export const TAG_MAX = 30;
export const TAGS_MAX = 10;

export type KycView = (typeof KYC_VIEWS)[number];

export const KYC_STANDINGS = ["open", "PENDING", "PROCESSING", "APPROVED", "REPROVED", "all"] as const satisfies (
  | KycStatus
  | "open"
  | "all"
)[];
export type KycStanding = (typeof KYC_STANDINGS)[number];

export const DEADLINES = ["late", "today", "tomorrow", "after-tomorrow"] as const;
export type Deadline = (typeof DEADLINES)[number];

export const KYC_DUES = ["late", "soon", "later", "today", "tomorrow", "after-tomorrow"] as const satisfies (
  | Deadline
  | "soon"
  | "later"
)[];
export const KYC_AGES = ["1", "3", "7", "30"] as const;

export const KYC_PROCESSES_SHOWN = ["kyc-backgroundcheck", "kyc-documentscopy"] as const satisfies KycProcessName[];

export const KYC_TYPES_SHOWN = ["PF", "PJ"] as const satisfies KycType[];

export const KYC_SORTS = ["arrival", "due", "changed", "waiting"] as const;
export type KycSort = (typeof KYC_SORTS)[number];
type KycOrder = "asc" | "desc";

/** Urgent first, then new. */
export const NATURAL_ORDER: Readonly<Record<KycSort, KycOrder>> = {
  arrival: "desc",
  due: "asc",
  changed: "desc",
  waiting: "asc",
};

export type QueueFilter = {
  view: KycView;
  status: KycStanding;
  type?: KycType | undefined;
  process?: KycProcessName | undefined;
  assignee?: string | undefined;
  tags?: string[] | undefined;
  due?: (typeof KYC_DUES)[number] | undefined;
  age?: (typeof KYC_AGES)[number] | undefined;
  search?: string | undefined;
  sameDocumentAs?: string | undefined;
  sameMaskAs?: string | undefined;
  sort?: KycSort | undefined;
  order?: KycOrder | undefined;
  after?: string | undefined;
  before?: string | undefined;
  ids?: string[] | undefined;
};

type Chosen = Pick<QueueFilter, "view" | "status">;

export const sortOf = ({ view, status, sort }: Chosen & Pick<QueueFilter, "sort">): KycSort =>
  sort ?? (view === "due" || status === "open" || status === "PENDING" ? "due" : "arrival");

export const orderOf = (filter: Chosen & Pick<QueueFilter, "sort" | "order">): KycOrder =>
  filter.order ?? NATURAL_ORDER[sortOf(filter)];

/** Cases without stored counts are counted up to this. */
export const MAX_COUNTED = 99;

export type CaseCount = { cases: number; isExact: boolean };

/** `12`, or `99+`. */
export const countText = ({ cases, isExact }: CaseCount, locale: Locale): string =>
  `${formatCount(cases, locale)}${isExact ? "" : "+"}`;

type Values = Record<string, string | undefined>;

/** As in the URL, without defaults and page. */
export function queueFilterValues(filter: QueueFilter): Values {
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

export const caseQueueSearch = (filter: QueueFilter): string => hrefWith("", queueFilterValues(filter)).slice(1);

/** The plain URL opens the person's default view. */
export function caseQueueHref(filter: QueueFilter, changes: Partial<QueueFilter> = {}): string {
  const changed = { ...filter, ...changes };
  const { after, before } = changes;
  const href = hrefWith("/kyc", { ...queueFilterValues(changed), after, before });
  return href === "/kyc" ? "/kyc?view=all" : href;
}

/** An unreadable record may belong to any complete list but one person's. */
export const mayHoldUnread = (filter: QueueFilter): boolean =>
  filter.view !== "mine" &&
  filter.view !== "put-off" &&
  caseQueueHref(filter) === caseQueueHref({ view: filter.view, status: "open" });

export function composeReason(text: string, addition: string): string {
  const added = addition.trim();
  if (added === "") return text;
  return `${text}${/[.!?:;…]$/.test(text) ? "" : "."} ${added}`;
}

export const includesReason = (reason: string, text: string): boolean =>
  reason === text || reason.startsWith(composeReason(text, "+").slice(0, -1));

export const SEARCHABLE = /^(?=.*[\p{L}\p{N}])[\p{L}\p{N} ._:/-]{2,120}$/u;

/** `restored`: the masked document that was looked for, whose zeros were missing. */
export type SameDocument = { kycUUID: string | null; by: "document" | "mask"; restored?: string };

/** `several` and `mistyped`: the text names more than one document, or one with wrong check digits. */
export type SoughtCase =
  | SameDocument
  | { kycUUID: string | null; by: "search"; restored?: never }
  | { kycUUID: null; by: "several" | "mistyped"; restored?: never };

/** The search text as the URL holds it. */
export const trimSearch = (typed: string): string => typed.trim().replaceAll(/\s+/g, " ");

export const TIMELINE_SHOWS = ["all", "people", "provider"] as const;
export type TimelineShow = (typeof TIMELINE_SHOWS)[number];
