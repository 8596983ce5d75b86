import { createBank } from "@/lib/bank/client";
import { completeCpf } from "@/lib/contract/document";
import { KycList, KycStarted } from "@/lib/contract/kyc";
import { grant, type Actor } from "@/lib/auth/grant";
import type { Permission } from "@/lib/auth/permission";
import { AURORA, type Harness, startService } from "@/service/testing";

/** The real service in this process, as the bank of this process; `beforeSend` may look at or delay each request. */
export async function givenService(beforeSend: (request: Request) => Promise<void> = async () => {}): Promise<Harness> {
  const service = await startService({ environment: { SERVICE_PROVIDER_DELAY_MS: "manual" } });
  globalThis.retaguardaBank = createBank({
    tenant: { baseUrl: "http://bank.test", clientId: AURORA.clientId, clientSecret: AURORA.clientSecret },
    fetch: async (request) => {
      await beforeSend(request);
      return service.app.request(request);
    },
    now: Date.now,
    sleep: () => Promise.resolve(),
    random: () => 0,
  });
  return service;
}

export function actorWith<P extends Permission>(staffId: string, permission: P): Actor<P> {
  const actor = grant({ staffId, tenant: AURORA.clientId, roles: ["compliance"] }, permission);
  if (actor === null) throw new Error(`compliance lacks ${permission}`);
  return actor;
}

let started = 0;

/** Starts a KYC process with the provider; it stays PROCESSING until it is steered. */
export async function startKyc(service: Harness): Promise<string> {
  started += 1;
  const { body } = await service.send("POST", "/v1/kyc/person", {
    body: {
      backgroundcheckModel: "BASIC",
      vatNumber: completeCpf(String(200_000_100 + started)),
      name: "Maria Aparecida dos Santos",
      birthDate: "07-09-1984",
      motherName: "Josefa dos Santos",
    },
  });
  return KycStarted.parse(body).data.kycUUID;
}

export async function providerStatus(service: Harness, kycUUID: string): Promise<string | undefined> {
  const { body } = await service.send("GET", `/v1/kyc/list?kycUUID=${kycUUID}`);
  return KycList.parse(body).result[0]?.status;
}
