import { z } from "zod";
import { isStorable, Required } from "@/lib/contract/shared";
import { CsvText } from "@/lib/text/field-rules";
import { FilterDay, lenient } from "@/lib/text/filter";
import { civilDaysAgo } from "@/lib/text/time";
import { GROUP_NAMES, RATE_SOURCE_MAX } from "./view";
import { POSITION_KINDS, POSITION_PARTS, type SumKey } from "@/lib/db/enums/position";

export const POSITION_WATCH = "position";

const Word = z.string().max(300).refine(isStorable);

const AssetWord = Word.refine((text) => text !== "");

const Key = z.object({
  network: Word.catch(""),
  asset: AssetWord,
  token: Word.catch(""),
  kind: z.enum(POSITION_KINDS),
  part: z.enum(POSITION_PARTS),
});

/** Today or earlier. */
const PastDay = FilterDay.refine((day) => day <= civilDaysAgo(0));

/** Filter from the URL; invalid values and days to come become the default, as does an `against` that the form filled in by itself. */
export const PositionFilter = z
  .object({ day: lenient(PastDay), against: lenient(PastDay), unchosen: lenient(PastDay) })
  .transform(({ day, against, unchosen }) => ({ day, against: against === unchosen ? undefined : against }));
export type PositionFilter = z.output<typeof PositionFilter>;

/** The opened sum, from the same URL; null: none. */
export const OpenedSum = Key.nullable().catch(null);

/** Whose line is drawn; null: of the first that has one. */
export const ChosenGroup = z.object({ group: lenient(z.enum(GROUP_NAMES)) }).transform(({ group }) => group ?? null);

export const keyValues = ({ network, asset, token, kind, part }: SumKey) => ({ network, asset, token, kind, part });

const Value = z
  .string()
  .regex(/^\d{1,15}(?:\.\d{1,18})?$/)
  .regex(/[1-9]/);

export const RateDay = PastDay;
export const RateSource = Required.max(RATE_SOURCE_MAX);

export const RateOrder = z.strictObject({
  network: Word,
  asset: AssetWord,
  token: Word,
  value: z.string().trim().pipe(Value),
  day: RateDay,
  source: RateSource,
});
export type RateOrder = z.output<typeof RateOrder>;

export const ReadAgain = z.strictObject({ day: FilterDay });
export type ReadAgain = z.output<typeof ReadAgain>;

export const RateFile = z.strictObject({ csv: CsvText.max(100_000) });
