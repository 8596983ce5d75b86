import { z } from "zod";
import { Required } from "@/lib/contract/shared";
import { FilterDay } from "@/lib/text/filter";
import { HOLIDAY_NAME_MAX, HOLIDAYS_MAX } from "./view";

const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

const Shape = z.strictObject({
  opens: Clock,
  closes: Clock,
  tedOpens: Clock,
  tedCloses: Clock,
  holidays: z
    .array(z.strictObject({ day: FilterDay, name: Required.max(HOLIDAY_NAME_MAX), stopsTed: z.boolean() }))
    .max(HOLIDAYS_MAX),
  /** The version that the form was filled from. */
  version: z.int().min(0),
});

/** Refuses hours that end before they begin, and a day typed twice, each at its field. */
export const CalendarForm = Shape.superRefine((form, context) => {
  const refuse = (path: PropertyKey[], code: string) =>
    context.addIssue({ code: "custom", path, params: { code }, input: form });
  if (form.closes <= form.opens) refuse(["closes"], "ends-before");
  if (form.tedCloses <= form.tedOpens) refuse(["tedCloses"], "ends-before");
  const days = form.holidays.map(({ day }) => day);
  days.forEach((day, nth) => {
    if (days.indexOf(day) < nth) refuse(["holidays", nth, "day"], "repeated");
  });
});
export type CalendarForm = z.output<typeof CalendarForm>;
