import type { CaseworkObject } from "./view";
import type { Tx } from "@/lib/store/store";

/** What happened to a record; ids alone. */
export type Happened =
  | { kind: "noted" | "note-retracted"; by: string; noteId: string }
  | { kind: "file-added" | "file-removed"; by: string; fileId: string };

/** The record that something is put to: its area knows whether it is there, and tells its timeline and its open screens. */
export type Place = {
  object: CaseworkObject;
  isThere: (tx: Tx) => Promise<boolean>;
  /** What is put to it is evidence of a decision by now: only retention takes it away. */
  isHeld: (tx: Tx) => Promise<boolean>;
  tell: (tx: Tx, happened: Happened) => Promise<void>;
};
