import { DAY_MS } from "@/lib/text/time";

export const STAFF_VIEWS = ["all", "active", "invited", "disabled"] as const;
export type StaffView = (typeof STAFF_VIEWS)[number];

export type StaffState = "active" | "disabled" | "proposed" | "invited" | "expired";

export const viewOf = (state: StaffState): Exclude<StaffView, "all"> =>
  state === "expired" || state === "proposed" ? "invited" : state;

export const REVIEW_NOTE_MAX = 500;
const REVIEW_DAYS_MAX = 366;
export const REVIEW_DAYS = 90;

/** `people`: how many had access or were invited. `note` null: it could not be read. */
export type ReviewStep = {
  id: string;
  byName: string;
  at: string;
  people: number;
  nextOn: string;
  note: string | null;
};

export const isReviewDay = (day: string, today: string): boolean =>
  day > today && Date.parse(day) - Date.parse(today) <= REVIEW_DAYS_MAX * DAY_MS;
