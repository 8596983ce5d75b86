import { accountRoutes } from "./accounts";
import { cryptoRoutes } from "./crypto";
import { kycRoutes } from "./kyc";
import type { Route } from "./route";
import { webhookRoutes } from "./webhooks";

/** Every operation that is answered; one that is not here is 404. */
export const routes: readonly Route[] = [...accountRoutes, ...cryptoRoutes, ...kycRoutes, ...webhookRoutes];
