import { operations } from "@/service/gateway/operations";
import { listSubscriptions } from "@/service/webhooks/list-subscriptions";
import { messageAnswer } from "./answer";
import { route } from "./route";

export const webhookRoutes = [
  route(operations.listWebhooks, async (call) => messageAnswer("Webhook subscriptions", listSubscriptions(call))),
];
