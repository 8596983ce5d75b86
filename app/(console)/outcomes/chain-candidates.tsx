"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { FailureNotice } from "@/components/layout/failure-text";
import { useAction } from "@/components/session/use-action";
import { Button } from "@/components/ui/button";
import { excludeCandidate } from "@/lib/outcomes/actions";
import type { UnknownOutcome } from "@/lib/outcomes/view";
import { ChainList } from "./chain-list";

type ChainCandidatesProps = Pick<UnknownOutcome, "intentId" | "candidates"> & { isOpen: boolean };

export function ChainCandidates({ intentId, candidates, isOpen }: ChainCandidatesProps) {
  const t = useTranslations("outcomes");
  const router = useRouter();
  const { pending, failure, run } = useAction(excludeCandidate);
  const exclude = (candidate: string) => (
    <Button
      tone="quiet"
      size="small"
      isBusy={pending}
      onClick={() => run({ intentId, candidate }, () => router.refresh())}
    >
      {t("exclude")}
    </Button>
  );
  return (
    <div className="space-y-1 py-1 text-sm">
      <ChainList candidates={candidates} {...(isOpen && { act: exclude })} />
      <FailureNotice failure={failure} />
    </div>
  );
}
