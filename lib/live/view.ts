import type { Topic } from "./standing";

export type LiveMessage =
  | { kind: "open"; tenant: string }
  | { kind: "changed"; topic: Topic; objects: string[] | null }
  | { kind: "fresh"; topic: Topic; asOf: string }
  /** Something was missed: everything may have changed. */
  | { kind: "reset" }
  /** The session ended, or may see something else now. */
  | { kind: "ended"; reason: "signed-out" | "moved" };

export type LiveTopic = Topic;

/** Changes of so long ago are told to a page that opens, however old it is. */
export const RECENT_MS = 15_000;
/** A change may be heard of some time before or after it can be read. */
export const AGE_MARGIN_MS = 2_000;
