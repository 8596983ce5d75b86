import { subscribe } from "node:diagnostics_channel";
import { z } from "zod";
import { tenantOf } from "@/lib/settings/env";
import { refusals } from "./refusals";
import { REFUSALS } from "./view";

const RefusedByFront = z.object({ clientId: z.string(), why: z.enum(REFUSALS) });

function countOne(message: unknown): void {
  const { clientId, why } = RefusedByFront.parse(message);
  refusals().refuse(tenantOf(clientId)?.clientId ?? null, why);
}

/** The front server refuses bodies before a route sees them. */
export const countFrontRefusals = (): void => subscribe("retaguarda:delivery-refused", countOne);
