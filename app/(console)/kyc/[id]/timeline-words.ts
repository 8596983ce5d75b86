import type { getTranslations } from "next-intl/server";
import { KYC_PROCESSES, KYC_STATUSES } from "@/lib/contract/kyc";
import { ONBOARDING_STATUSES } from "@/lib/contract/onboarding";
import type { TimelineEntry } from "@/lib/kyc/queries";
import { providerText } from "@/lib/unknown";

type Say = Awaited<ReturnType<typeof getTranslations<never>>>;
type Said = TimelineEntry["detail"][string] | undefined;

const among = <Word extends string>(words: readonly Word[], said: Said) => words.find((word) => word === said);
/** A word that the interface does not name stands as it came. */
const raw = (said: Said) => providerText(String(said ?? ""));

function statusWord(say: Say, said: Said): string {
  const status = among(KYC_STATUSES, said);
  return status === undefined ? raw(said) : say(`kyc.status.${status}`);
}

function processWord(say: Say, said: Said): string {
  const process = among(KYC_PROCESSES, said);
  return process === undefined ? raw(said) : say(`kyc.process.${process}`);
}

function onboardingWord(say: Say, said: Said): string {
  const status = among(ONBOARDING_STATUSES, said);
  return status === undefined ? raw(said) : say(`onboarding.status.${status}`);
}

/** What happened, as one sentence in the reader's language. */
export function sentenceOf(say: Say, { kind, byName, isMine, otherName, detail }: TimelineEntry): string {
  const someone = say("kycTimeline.someone");
  const name = isMine ? say("kycTimeline.you") : byName || someone;
  if (kind === "moved" && detail["from"] === detail["to"]) {
    return say("kycTimeline.stepped", { process: processWord(say, detail["process"]) });
  }
  return say(`kycTimeline.${kind}`, {
    name,
    other: otherName || someone,
    tag: raw(detail["tag"]),
    process: processWord(say, detail["process"]),
    status:
      kind === "seen" || kind === "record-seen"
        ? statusWord(say, detail["status"])
        : onboardingWord(say, detail["status"]),
    from: statusWord(say, detail["from"]),
    to: statusWord(say, detail["to"]),
    decision: statusWord(say, detail["decision"]),
    outcome: raw(detail["decision"]),
  });
}

/** The screen of what an entry is about, where it is another one; null: none. */
export function entryHref({ detail }: TimelineEntry, mayOpenProposals: boolean): string | null {
  const { approvalId, onboarding } = detail;
  if (typeof onboarding === "string") return `/onboarding/${onboarding}`;
  return typeof approvalId === "string" && mayOpenProposals ? `/approvals/${approvalId}` : null;
}
