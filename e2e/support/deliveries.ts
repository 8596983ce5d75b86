import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

export const Tenants = z.object({
  tenants: z.array(z.object({ clientId: z.string(), webhook: z.object({ secret: z.string() }) })).min(1),
});

/** Delivers an event as the provider does, by default with the demo's secret; returns the HTTP status. */
export async function deliver(
  { url, dataDir }: { url: string; dataDir: string },
  { id, payload, signature }: { id: string; payload: object; signature?: string },
): Promise<number> {
  const { tenants } = Tenants.parse(JSON.parse(readFileSync(join(dataDir, "service/tenants.json"), "utf8")));
  const body = JSON.stringify(payload);
  const right = createHmac("sha256", tenants[0]?.webhook.secret ?? "")
    .update(body)
    .digest("hex");
  const headers = {
    "x-webhook-event": "onboarding-create",
    "x-webhook-event-id": id,
    "x-webhook-signature": signature ?? right,
  };
  return (await fetch(`${url}/api/hooks/${tenants[0]?.clientId ?? ""}`, { method: "POST", body, headers })).status;
}
