import { type Harness, AURORA, startService } from "@/test/support/service/harness";
import { givenEnv, givenStore } from "./console";
import type { Provider } from "@/lib/provider/client";
import { bankAt } from "./provider";

type Tenant = Pick<typeof AURORA, "clientId" | "clientSecret">;

export type BankAtService = {
  service: Harness;
  bank: Provider;
  connect: (tenant: Tenant) => Provider;
  /** The requests that reached the service: method and path. */
  reached: string[];
  /** The header of the last one. */
  authorization: string;
};

/** The provider is the real service in this process; both use the service's clock. */
export async function givenBankAtService(): Promise<BankAtService> {
  givenEnv();
  await givenStore();
  const service = await startService();
  const connect = (tenant: Tenant) =>
    bankAt({
      tenant,
      serve: (request) => {
        at.reached.push(`${request.method} ${new URL(request.url).pathname}`);
        at.authorization = request.headers.get("authorization") ?? "";
        return service.app.fetch(request);
      },
      clock: { now: () => service.app.service.clock.now(), sleep: (ms) => service.advance(ms) },
    });
  const at: BankAtService = { service, connect, bank: connect(AURORA), reached: [], authorization: "" };
  return at;
}
