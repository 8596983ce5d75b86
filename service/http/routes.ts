import { accountRoutes } from "./accounts";
import { cryptoRoutes } from "./crypto";
import { kycRoutes } from "./kyc";
import { otcRoutes } from "./otc";
import { pixRoutes } from "./pix";
import type { Route } from "./route";
import { transferRoutes } from "./transfers";
import { webhookRoutes } from "./webhooks";

/** Every operation that is answered; one that is not here is 404. */
export const routes: readonly Route[] = [
  ...accountRoutes,
  ...cryptoRoutes,
  ...kycRoutes,
  ...otcRoutes,
  ...pixRoutes,
  ...transferRoutes,
  ...webhookRoutes,
];
