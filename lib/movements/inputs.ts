import { z } from "zod";
import { NETWORKS } from "@/lib/contract/crypto";
import { namedDocument } from "@/lib/contract/document";
import { refuseUnclear } from "@/lib/contract/document-schema";
import { isStorable, Required } from "@/lib/contract/shared";
import { FilterAmount, FilterDay, lenient, SearchId, SearchText } from "@/lib/text/filter";
import { isMasked } from "@/lib/text/masks";
import { hrefWith, QUERY_MAX } from "@/lib/text/page";
import { daysOf, PERIODS, settlePeriod, spanOf } from "@/lib/text/period";
import { civilDaysAgo, DAY_MS } from "@/lib/text/time";
import { type Coin, MOVEMENT_FORMATS, MOVEMENT_SCOPES, SOURCE_KINDS } from "@/lib/db/enums/movements";
import { SENT_KINDS, SENT_STAGES } from "./sent-view";
import { DIRECTIONS, LISTED_STATES } from "./view";

const MAX_DAYS = 366;
const TYPED_MAX = 100_000;

type Days = { from: string; to: string };

const lengthOf = ({ from, to }: Days) => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

const Period = {
  from: FilterDay,
  to: FilterDay,
  format: z.enum(MOVEMENT_FORMATS),
  scope: z.enum(MOVEMENT_SCOPES),
  /** The names of the `chosen` sources, one a line. */
  names: z.string().max(TYPED_MAX),
};

const inOrder = <Order extends z.ZodType<Days>>(order: Order) =>
  order
    .refine(({ from, to }) => from <= to, { path: ["to"], params: { code: "period" } })
    .refine(({ to }) => to <= civilDaysAgo(0), { path: ["to"], params: { code: "day-ahead" } })
    .refine((period) => lengthOf(period) <= MAX_DAYS, { path: ["from"], params: { code: "period-long" } });

export const MovementOrder = inOrder(z.strictObject(Period));
export type MovementOrder = z.output<typeof MovementOrder>;

/** `id` is made when the cost is shown, so that a second press repeats the first. */
export const MovementStart = inOrder(z.strictObject({ ...Period, id: z.uuid() }));
export type MovementStart = z.output<typeof MovementStart>;

export const MovementStop = z.strictObject({ id: z.uuid() });

/** The list of all that was sent; what does not fit is left out. */
export const SentFilter = z
  .object({
    kind: lenient(z.enum(SENT_KINDS)),
    stage: lenient(z.enum(SENT_STAGES)),
    who: lenient(z.union([z.literal("me"), z.uuid()])),
    period: lenient(z.enum(PERIODS)),
    from: lenient(FilterDay),
    to: lenient(FilterDay),
    page: z.coerce.number().int().min(1).catch(1),
  })
  .transform((filter) => settlePeriod(filter, filter.period));
export type SentFilter = z.output<typeof SentFilter>;

const DEFAULT_PERIOD = "30";
const Word = z.string().trim().min(1).max(300).refine(isStorable);
/** Of a row, on whose other side the next page begins. */
const Cursor = z.string().regex(/^[\w-]{10,800}$/);

/** The list's filter as it stands in the address; what does not fit becomes the default: the last 30 days. */
export const MovementFilter = z
  .object({
    period: lenient(z.enum(PERIODS)),
    from: lenient(FilterDay),
    to: lenient(FilterDay),
    kind: lenient(z.enum(SOURCE_KINDS)),
    account: lenient(z.uuid()),
    wallet: lenient(Word),
    direction: lenient(z.enum(DIRECTIONS)),
    state: lenient(z.enum(LISTED_STATES)),
    type: lenient(Word),
    asset: lenient(Word),
    min: FilterAmount,
    max: FilterAmount,
    search: lenient(z.union([SearchId, SearchText])),
    /** An address, or the keyed hash of a document or a name. */
    counterpart: lenient(z.string().regex(/^[\w.:+/-]{10,200}$/)),
    before: lenient(Cursor),
    after: lenient(Cursor),
  })
  .transform(({ from, to, period: preset = DEFAULT_PERIOD, ...rest }) => {
    const period = from === undefined && to === undefined ? preset : undefined;
    const { from: start = daysOf(DEFAULT_PERIOD).from ?? "", to: end = civilDaysAgo(0) } = spanOf({ period, from, to });
    return { ...(start <= end ? { from: start, to: end } : { from: end, to: start }), ...rest, period };
  });
export type MovementFilter = z.output<typeof MovementFilter>;

/** The filter of a list, without where its page begins, in words of an address. */
export const movementSearch = (filter: MovementFilter): string =>
  hrefWith("", { ...filter, period: undefined, before: undefined, after: undefined });

/** An asset as a filter names it: reais, or a coin of a network, of which what is not told is one of its own, and what is likely another. */
export const assetWord = (coin: Coin | undefined): string =>
  coin === undefined
    ? "BRL"
    : hrefWith("", { network: coin.network, token: coin.token, asset: coin.asset, likely: coin.isLikely });

export const AssetWord = z
  .string()
  .transform((text): unknown => Object.fromEntries(new URLSearchParams(text)))
  .pipe(
    z.object({
      network: z.enum(NETWORKS),
      token: z.string().default(""),
      asset: z.string().default(""),
      likely: z.string().optional(),
    }),
  );

/** Before the ref of an account that a filter names as the counterparty. */
export const ACCOUNT_COUNTERPART = "account:";

export const isAccountName = (typed: string): boolean => /^\s*\d{1,5}\s*\/\s*[\dXPxp.-]{3,20}\s*$/.test(typed);

const mayBeName = (typed: string): boolean => /\p{L}/u.test(typed) && !isMasked(typed);

export const CounterpartQuery = z.strictObject({
  query: Required.max(QUERY_MAX)
    .superRefine(refuseUnclear(isAccountName))
    .refine((typed) => isAccountName(typed) || mayBeName(typed) || namedDocument(typed).kind !== "none", {
      params: { code: "counterparty" },
    }),
});
export type CounterpartQuery = z.output<typeof CounterpartQuery>;

export const SourceQuery = z.strictObject({ query: Required.max(QUERY_MAX) });
export type SourceQuery = z.output<typeof SourceQuery>;

/** What the form of a file begins with, as an address names it. */
export const FileWanted = z.object({
  from: FilterDay.catch(() => civilDaysAgo(1)),
  to: FilterDay.catch(() => civilDaysAgo(1)),
  scope: z.enum(MOVEMENT_SCOPES).catch("all"),
  names: z.string().max(300).catch(""),
});
export type FileWanted = z.output<typeof FileWanted>;
