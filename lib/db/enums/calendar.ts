/** A day on which nobody works, beside weekends and national holidays. `stopsTed`: banks do not settle then either. */
export type Holiday = { day: string; name: string; stopsTed: boolean };

/** Times are `HH:mm` in São Paulo; `closes` is the first minute after work. */
export type BusinessCalendar = {
  opens: string;
  closes: string;
  tedOpens: string;
  tedCloses: string;
  holidays: Holiday[];
};
