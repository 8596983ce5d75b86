export const STAFF_VIEWS = ["all", "active", "invited", "disabled"] as const;
export type StaffView = (typeof STAFF_VIEWS)[number];

/** An expired invitation stays listed until it is renewed or revoked. */
export type StaffState = "active" | "disabled" | "invited" | "expired";

export const viewOf = (state: StaffState): Exclude<StaffView, "all"> => (state === "expired" ? "invited" : state);
