import type { Logger } from "pino";
import type { ServiceClock } from "@/service/clock";
import type { AccountDirectory } from "@/service/accounts/directory";
import type { Holds } from "@/service/antifraud/holds";
import type { Alarm } from "@/service/jobs/alarm";
import type { Random } from "@/service/random";
import type { Settings } from "@/service/settings";
import type { Db } from "@/service/store/transaction";
import type { Tenant, TenantDirectory } from "@/service/tenants/load-tenants";
import type { CarryOut } from "@/service/transfers/carry-out";
import type { Post } from "@/service/webhooks/post";

/** Everything that is not deterministic enters here. */
export type Service = {
  db: Db;
  clock: ServiceClock;
  random: Random;
  post: Post;
  settings: Settings;
  tenants: TenantDirectory;
  alarm: Alarm;
  outbox: Alarm;
  accounts: AccountDirectory;
  carryOut: CarryOut;
  holds: Holds;
  log: Logger;
};

/** Made by the gateway once a request has passed every check. */
export type Call = Service & { tenant: Tenant };

/** Null when the tenants file no longer has it. */
export function actingFor(service: Service, clientId: string): Call | null {
  const tenant = service.tenants.find(clientId);
  return tenant ? { ...service, tenant } : null;
}
