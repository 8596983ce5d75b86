import { z } from "zod";
import { FilterDay } from "@/lib/text/filter";
import { civilDaysAgo } from "@/lib/text/time";
import { MOVEMENT_FORMATS, MOVEMENT_SCOPES } from "@/lib/db/enums/movements";

const DAY_MS = 24 * 60 * 60 * 1000;
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
