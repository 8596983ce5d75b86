import type { CompanyKyc, PersonKyc } from "@/lib/contract/kyc";
import { instant } from "@/service/clock";
import type { Call } from "@/service/context";
import { schedule } from "@/service/jobs/schedule";
import { uuid } from "@/service/random";
import { transaction } from "@/service/store/transaction";
import { kycCharge, kycProcess } from "./schema";

/** The planned work that lets the simulated provider finish its check. */
export const KYC_CHECK = "kyc-check";

export type KycProcess = typeof kycProcess.$inferSelect;
type Subject = Pick<typeof kycProcess.$inferInsert, "kycType" | "vatNumber" | "name" | "birthDate" | "motherName"> & {
  members?: KycProcess["members"];
  backgroundcheckModel: KycProcess["model"];
  documentscopyFlag: boolean;
};

async function start(
  call: Call,
  { backgroundcheckModel, documentscopyFlag, ...subject }: Subject,
): Promise<KycProcess> {
  const { clock, db, random, settings, tenant } = call;
  const now = instant(clock);
  return transaction(db, async (tx) => {
    const [process] = await tx
      .insert(kycProcess)
      .values({
        ...subject,
        kycUuid: uuid(random),
        clientId: tenant.clientId,
        model: backgroundcheckModel,
        documentscopy: documentscopyFlag,
        process: "kyc-backgroundcheck",
        status: "PROCESSING",
        createdAt: now,
        updatedAt: now,
      })
      .returning();
    if (!process) throw new Error("the KYC process was not stored");
    const { kycUuid, clientId, kycType, model } = process;
    await tx.insert(kycCharge).values({ kycUuid, clientId, kycType, model, chargedAt: now }).onConflictDoNothing();
    if (settings.providerDelayMs !== "manual")
      await schedule(call, tx, { kind: KYC_CHECK, subject: kycUuid, delayMs: settings.providerDelayMs });
    return process;
  });
}

/** Starts the check of a person and charges for it (interface: KYC › POST /v1/kyc/person). */
export async function startPersonKyc(call: Call, input: PersonKyc): Promise<KycProcess> {
  const { backgroundcheckModel, documentscopyFlag, vatNumber, name, birthDate, motherName } = input;
  return start(call, {
    kycType: "PF",
    backgroundcheckModel,
    documentscopyFlag,
    vatNumber,
    name,
    birthDate,
    motherName,
  });
}

/** Starts the check of a company and charges for it (interface: KYC › POST /v1/kyc/company). */
export async function startCompanyKyc(call: Call, input: CompanyKyc): Promise<KycProcess> {
  const { backgroundcheckModel, documentscopyFlag, vatNumber, legalName, qsa } = input;
  const members = qsa.map(({ ownerType, vatNumber: cpf, name, birthDate, motherName }) => {
    return { ownerType, vatNumber: cpf, name, birthDate, motherName };
  });
  return start(call, { kycType: "PJ", backgroundcheckModel, documentscopyFlag, vatNumber, name: legalName, members });
}
