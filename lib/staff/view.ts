export const STAFF_VIEWS = ["all", "active", "invited", "disabled"] as const;
export type StaffView = (typeof STAFF_VIEWS)[number];

export type StaffState = "active" | "disabled" | "proposed" | "invited" | "expired";

export const viewOf = (state: StaffState): Exclude<StaffView, "all"> =>
  state === "expired" || state === "proposed" ? "invited" : state;
