import type { AntifraudCase } from "./case";

/** How a transfer ended for the one who asked for it: carried out, or with a case that antifraud opened. */
export type Outcome<Done> = { kind: "done"; done: Done } | { kind: "held" | "blocked"; case: AntifraudCase };
