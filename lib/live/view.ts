import type { Topic } from "@/lib/permission/topics";

export type LiveMessage =
  | { kind: "open" }
  | { kind: "changed"; topic: Topic; objects: string[] | null }
  /** Raised by the browser: something was missed, so everything may have changed. */
  | { kind: "reset" }
  /** The session ended, or may now see something else. */
  | { kind: "ended"; reason: "signed-out" | "moved" };

export type LiveTopic = Topic;

/** A change may be announced some time before or after it can be read. */
export const AGE_MARGIN_MS = 2_000;
