import { useLocale } from "next-intl";
import { formatMoment } from "@/lib/format";

/** When a row came about; the day, where it is not plain, in the shade of the time. */
export function RowMoment({ at, hasDay }: { at: string; hasDay: boolean }) {
  const { day, time } = formatMoment(at, useLocale());
  return (
    <time dateTime={at}>
      {hasDay ? <span className="text-faint">{day} </span> : null}
      {time}
    </time>
  );
}
