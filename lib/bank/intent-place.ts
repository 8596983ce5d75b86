import type { SealedPlace } from "@/lib/store/sealed-columns";
import type { Intent } from "./intent-kind";

/** Where an intent keeps what is sealed. */
export const intentPlace = (
  column: "body_sealed" | "kept_sealed",
  { tenant, id }: Pick<Intent, "tenant" | "id">,
): SealedPlace => ({ column: `bank_intent.${column}`, row: [tenant, id] });
