import { randomUUID } from "node:crypto";
import { completeCpf } from "@/lib/contract/document";
import { KycList } from "@/lib/contract/kyc";
import { auditEvent } from "@/lib/store/schema";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/lib/testing";
import { givenIntents } from "@/lib/transfers/testing";
import { StartOrder } from "./rules";

let invented = 0;

/** A CPF that nobody else in the tests has. */
export function inventCpf(): string {
  invented += 1;
  return completeCpf(String(410_000_100 + invented));
}

/** A right order to start the case of a person; `changes` come on top. */
export const personOrder = (changes: Record<string, unknown> = {}): StartOrder =>
  StartOrder.parse({
    type: "PF",
    intentId: randomUUID(),
    seen: [],
    backgroundcheckModel: "COMPLETE",
    documentscopyFlag: false,
    vatNumber: inventCpf(),
    name: "Maria Aparecida dos Santos",
    birthDate: "07/09/1984",
    motherName: "Josefa dos Santos",
    ...changes,
  });

/** A right order to start the case of a company with two partners. */
export const companyOrder = (changes: Record<string, unknown> = {}): StartOrder & { type: "PJ" } => {
  const partner = { name: "Rui Lima", birthDate: "07/09/1984", motherName: "Josefa dos Santos" };
  const order = StartOrder.parse({
    type: "PJ",
    intentId: randomUUID(),
    seen: [],
    backgroundcheckModel: "BASIC",
    documentscopyFlag: true,
    vatNumber: "11222333000181",
    legalName: "Aurora Pagamentos Ltda",
    qsa: [
      { ownerType: "SOCIO_ADMINISTRADOR", vatNumber: inventCpf(), ...partner },
      { ownerType: "SOCIO", vatNumber: inventCpf(), ...partner, name: "Eva Prado" },
    ],
    ...changes,
  });
  if (order.type !== "PJ") throw new Error("it is no company's");
  return order;
};

export type StartFormState = Awaited<ReturnType<typeof givenStartFixture>>;

/** A desk with somebody of compliance, before a provider whose answers can be lost by `script`. */
export async function givenStartFixture() {
  givenEnv();
  const db = await givenStore();
  const service = await givenService();
  return {
    db,
    service,
    script: givenIntents(),
    ana: actorOf("compliance", await givenStaff(db, "compliance"), "kyc:start"),
    /** The cases that the provider has begun, and charges for. */
    charged: async () => KycList.parse((await service.send("GET", "/v1/kyc/list")).body).result,
    /** Code and outcome of what is on record, in its order. */
    trail: async () =>
      (await db.select().from(auditEvent).orderBy(auditEvent.seq)).map(({ code, outcome }) => `${code} ${outcome}`),
  };
}
