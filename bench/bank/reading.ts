import { z } from "zod";

/** Pages of the KYC list for a process to read, all at the same time: each is a call of its own. */
export const Reading = z.object({ pages: z.array(z.number()) });

/** How many of them were answered, and how often which error stood in the place of an answer. */
export const ReadingOutcome = z.object({ answered: z.number(), failures: z.record(z.string(), z.number()) });
export type ReadingOutcome = z.infer<typeof ReadingOutcome>;
