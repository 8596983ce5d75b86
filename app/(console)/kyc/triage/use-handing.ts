"use client";

import { useTranslations } from "next-intl";
import { useStaffId } from "@/components/desk";
import { useAction } from "@/components/use-action";
import { releaseCase } from "@/lib/kyc/actions";
import type { KycRow } from "@/lib/kyc/queries";
import type { Claiming } from "./use-claiming";

export type Handing = {
  /** Claims what is nobody's or a colleague's, and gives back what is the person's own. */
  toggle: (subject: KycRow) => void;
  release: (subject: KycRow) => void;
  isPending: boolean;
};

type Options = {
  claiming: Pick<Claiming, "claim" | "isPending">;
  onSaid: (sentence: string) => void;
  onChanged: () => void;
};

/** Claiming and releasing for their own sake, each told in a sentence. */
export function useHanding({ claiming, onSaid, onChanged }: Options): Handing {
  const t = useTranslations("triage");
  const me = useStaffId();
  const releasing = useAction(releaseCase);
  const release = ({ kycUUID, vatNumber }: KycRow) =>
    releasing.run(
      { kycUUID },
      () => {
        onSaid(t("released", { document: vatNumber }));
        onChanged();
      },
      (failed) => onSaid(failed.message),
    );
  const claim = (subject: KycRow) =>
    claiming.claim(subject, ({ vatNumber }) => {
      onSaid(t("claimed", { document: vatNumber }));
      onChanged();
    });
  return {
    toggle: (subject) => (subject.assignee?.id === me ? release(subject) : claim(subject)),
    release,
    isPending: claiming.isPending || releasing.pending,
  };
}
