import { subscribe } from "node:diagnostics_channel";
import { z } from "zod";
import { tenantOf } from "@/lib/settings/env";
import { refusedRequest } from "./headers";
import { refusals } from "./refusals";
import { REFUSALS } from "./view";

const HeaderValue = z.union([z.string(), z.array(z.string()).transform((all) => all.join(", "))]);
const RefusedByFront = z.object({
  clientId: z.string(),
  why: z.enum(REFUSALS),
  headers: z.record(z.string(), HeaderValue.optional()),
});

function countOne(message: unknown): void {
  const { clientId, why, headers } = RefusedByFront.parse(message);
  const request = refusedRequest((name) => headers[name.toLowerCase()] ?? null, null);
  refusals().refuse(tenantOf(clientId)?.clientId ?? null, why, request);
}

/** The front server refuses bodies before a route sees them. */
export const countFrontRefusals = (): void => subscribe("retaguarda:delivery-refused", countOne);
