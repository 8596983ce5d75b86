import { setTimeout as pause } from "node:timers/promises";
import { answerOf, type Service } from "@/bench/service/service-process";
import { completeCpf } from "@/lib/contract/document";
import { KycStarted } from "@/lib/contract/kyc";

/** A case got this status at the provider, at that time. */
export type Change = { kycUUID: string; status: string; atMs: number };

const CHANGE_EVERY_MS = 2_000;

let started = 0;

async function post(service: Service, path: string, body: object): Promise<unknown> {
  const headers = { ...service.headers, "content-type": "application/json" };
  return answerOf(await fetch(service.origin + path, { method: "POST", headers, body: JSON.stringify(body) }));
}

/** Starts a case as another program of the tenant would. */
export async function beginCase(service: Service): Promise<string> {
  started += 1;
  const person = { name: "Maria Aparecida dos Santos", birthDate: "07-09-1984", motherName: "Josefa dos Santos" };
  const vatNumber = completeCpf(String(500_000_000 + started));
  const begun = await post(service, "/v1/kyc/person", { backgroundcheckModel: "BASIC", vatNumber, ...person });
  return KycStarted.parse(begun).data.kycUUID;
}

export async function openWallet(service: Service): Promise<void> {
  await post(service, "/v1/crypto/wallets", { network: "EVM" });
}

/** Open cases that change at the provider in turn, one every two seconds, until `stop`. */
export function liveOn(service: Service, cases: readonly string[]): { changes: Change[]; stop: () => Promise<void> } {
  const changes: Change[] = [];
  const isOver = new AbortController();
  const live = async () => {
    for (let turn = 0; !isOver.signal.aborted; turn += 1) {
      const kycUUID = cases[turn % cases.length] ?? "";
      const status = Math.floor(turn / cases.length) % 2 === 0 ? "PENDING" : "PROCESSING";
      await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status });
      changes.push({ kycUUID, status, atMs: Date.now() });
      await Promise.allSettled([pause(CHANGE_EVERY_MS, undefined, { signal: isOver.signal })]);
    }
  };
  const living = live();
  return {
    changes,
    stop: async () => {
      isOver.abort();
      await living;
    },
  };
}
