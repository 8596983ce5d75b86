import { expect, test } from "vitest";
import { Subscriptions } from "@/lib/contract/webhooks";
import { AURORA, startService } from "@/service/testing";

test("a tenant reads its subscription, and never its secret", async () => {
  const { send } = await startService();
  const reply = await send("GET", "/v1/webhooks");
  expect(reply.status).toBe(200);
  const { data } = Subscriptions.parse(reply.body);
  expect(data).toEqual([
    {
      id: "webhook-aurora",
      clientId: "aurora",
      url: AURORA.webhook?.url,
      events: AURORA.webhook?.events,
      status: "active",
    },
  ]);
});
