import type { NotedObject } from "@/lib/db/enums/notes";
import type { Tx } from "@/lib/db/connection";

export type Happened =
  | { kind: "noted" | "note-retracted"; by: string; noteId: string }
  | { kind: "file-added" | "file-removed"; by: string; fileId: string };

/** The area checks whether the record exists, and notifies timeline and screens. */
export type NoteTarget = {
  object: NotedObject;
  isThere: (tx: Tx) => Promise<boolean>;
  isHeld: (tx: Tx) => Promise<boolean>;
  notify: (tx: Tx, happened: Happened) => Promise<void>;
};
