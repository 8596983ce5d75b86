import type { Evidence } from "@/lib/dossiers/records";
import type { Tx } from "@/lib/store/store";
import { readRelated } from "./related";
import type { StartedCase } from "./started";

/** The form with which our people started the case, in the words of the interface. */
export function subjectOf(started: StartedCase): NonNullable<Evidence["subject"]> {
  const { kycType, model: backgroundcheckModel, documentscopy, isRepeat, startedBy, startedAt } = started;
  return {
    startedBy,
    startedAt: startedAt.toISOString(),
    form: { kycType, backgroundcheckModel, documentscopy, isRepeat, ...started.subject },
    members: started.members.map((member) => ({ ...member })),
  };
}

type Subject = { tenant: string; kycUUID: string; vatNumber: string | null; start: StartedCase | null };

const basisOf = ({ isSure }: { isSure: boolean }) => (isSure ? ("document" as const) : ("masked-document" as const));

/** What else is known of whoever the case is about, as the case's page shows it. */
export async function relatedOf(tx: Tx, { vatNumber, ...subject }: Subject): Promise<Evidence["related"]> {
  if (vatNumber === null) return [];
  const { cases, onboardings, accounts } = await readRelated(tx, { ...subject, vatNumber });
  return [
    ...cases.map((one) => ({
      kind: "kyc" as const,
      id: one.kycUUID,
      document: one.vatNumber,
      status: one.status,
      basis: basisOf(one),
      since: one.firstSeenAt,
    })),
    ...onboardings.map((one) => ({
      kind: "onboarding" as const,
      id: one.id,
      document: one.document,
      status: one.status,
      basis: basisOf(one),
      since: one.firstSeenAt,
    })),
    ...accounts.map((one) => ({
      kind: "account" as const,
      id: one.ref,
      document: one.document,
      status: null,
      basis: basisOf(one),
      since: null,
    })),
  ];
}
