import type { AlarmCause } from "@/lib/db/enums/privacy";

/** When reveals of one person are unusually many. */
export type AlarmBounds = {
  perHour: number;
  /** More in a day than so many times their own daily median of the last 30 days, */
  timesMedian: number;
  /** and than so many. */
  dayFloor: number;
};

export const STANDARD_BOUNDS: AlarmBounds = { perHour: 20, timesMedian: 3, dayFloor: 40 };

export const BOUND_NAMES = ["perHour", "timesMedian", "dayFloor"] as const satisfies readonly (keyof AlarmBounds)[];

export const BOUND_RANGES: Readonly<Record<keyof AlarmBounds, { least: number; most: number }>> = {
  perHour: { least: 1, most: 1_000 },
  timesMedian: { least: 1, most: 100 },
  dayFloor: { least: 1, most: 10_000 },
};

export const isBound = (name: keyof AlarmBounds, value: number): boolean =>
  Number.isInteger(value) && value >= BOUND_RANGES[name].least && value <= BOUND_RANGES[name].most;

export const ALARM_NOTE_MAX = 500;

/** `bound`: what the reveals went beyond when it opened. `note` null: it is open, or could not be read. */
export type AlarmRow = {
  id: string;
  staffId: string;
  name: string | null;
  cause: AlarmCause;
  reveals: number;
  bound: number;
  openedAt: string;
  ownerId: string | null;
  ownerName: string | null;
  endedAt: string | null;
  endedByName: string | null;
  note: string | null;
  isOwn: boolean;
  isMine: boolean;
};
