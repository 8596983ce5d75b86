import { completeCpf } from "@/lib/contract/document";
import { KycList, KycStarted } from "@/lib/contract/kyc";
import type { Harness } from "@/service/testing";

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
