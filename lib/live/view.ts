import type { Topic } from "@/lib/permission/topics";

export type LiveMessage =
  | { kind: "open" }
  | { kind: "changed"; topic: Topic; objects: string[] | null }
  /** Said by the browser itself: something was missed, everything may have changed. */
  | { kind: "reset" }
  /** The session ended, or may see something else now. */
  | { kind: "ended"; reason: "signed-out" | "moved" };

export type LiveTopic = Topic;

/** A change may be heard of some time before or after it can be read. */
export const AGE_MARGIN_MS = 2_000;
