import { z } from "zod";
import { withoutSecrets } from "./view";

const FIELDS_MAX = 200;
const TEXT_MAX_LENGTH = 4_000;

const Fields = z
  .record(z.string().regex(/^[A-Za-z][\w.]{0,79}$/), z.string().max(TEXT_MAX_LENGTH))
  .refine((fields) => Object.keys(fields).length <= FIELDS_MAX, { params: { code: "too-long" } })
  .transform(withoutSecrets);

/** Secret fields are dropped, whoever sends them. */
export const DraftOrder = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("save"), draftId: z.uuid(), version: z.int().min(0), fields: Fields }),
  z.strictObject({ do: z.literal("discard"), draftId: z.uuid() }),
  z.strictObject({ do: z.literal("begin") }),
  z.strictObject({ do: z.literal("read") }),
]);
export type DraftOrder = z.output<typeof DraftOrder>;
