/** Whose doings a timeline shows. */
export const TIMELINE_SHOWS = ["all", "people", "provider"] as const;
export type TimelineShow = (typeof TIMELINE_SHOWS)[number];
