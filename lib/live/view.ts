import type { Topic } from "./standing";

/** What `/api/live` tells a browser, as the data of a server-sent event. */
export type LiveMessage =
  /** The stream stands, for the reader's session at this tenant. */
  | { kind: "open"; tenant: string }
  /** These objects of the topic changed; null: any of them may have. */
  | { kind: "changed"; topic: Topic; objects: string[] | null }
  /** All of the topic was found as it is at this instant (ISO). */
  | { kind: "fresh"; topic: Topic; asOf: string }
  /** Something was missed: everything may have changed. */
  | { kind: "reset" }
  /** Nothing more comes: the session ended, or it may see something else by now, at another tenant or in another role. */
  | { kind: "ended"; reason: "signed-out" | "moved" };

export type LiveTopic = Topic;
