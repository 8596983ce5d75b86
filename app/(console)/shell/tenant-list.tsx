"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useDesk } from "@/components/desk";
import { DiscardQuestion } from "@/components/discard-question";
import { FailureText } from "@/components/failure-text";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/use-action";
import { screenAddress } from "@/lib/href";
import { switchTenant } from "@/lib/staff/actions";
import { type Place, TenantChoice } from "./tenant-choice";

type TenantListProps = { current: Place; places: readonly Place[]; onClose: () => void };

/** The tenants to go to. Nothing of this page goes along: the switch loads a new one, after asking for what was written. */
export function TenantList({ current, places, onClose }: TenantListProps) {
  const t = useTranslations("desk");
  const { announce, unsaved } = useDesk();
  const { pending, failure, run } = useAction(switchTenant);
  const [chosen, setChosen] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);

  const go = (clientId: string) => {
    setAsking(false);
    run(clientId, (desk) => {
      announce(desk);
      window.location.assign(screenAddress(window.location.pathname));
    });
  };
  const choose = (clientId: string) => {
    if (pending) return;
    setChosen(clientId);
    if (clientId === current.clientId) onClose();
    else if (unsaved.hasUnsaved()) setAsking(true);
    else go(clientId);
  };

  return (
    <>
      <ul aria-label={t("tenants")}>
        {places.map((place) => (
          <li key={place.clientId}>
            <TenantChoice
              place={place}
              isCurrent={place.clientId === current.clientId}
              isBusy={pending && chosen === place.clientId}
              busyLabel={t("switching")}
              onChoose={() => choose(place.clientId)}
            />
          </li>
        ))}
      </ul>
      {isAsking && chosen !== null ? (
        <div className="border-t border-line p-2.5">
          <DiscardQuestion question={t("discardQuestion")} onKeep={onClose} onDiscard={() => go(chosen)} />
        </div>
      ) : null}
      <div aria-live="assertive">
        {failure ? (
          <Notice tone="negative" className="m-1">
            <FailureText failure={failure} />
          </Notice>
        ) : null}
      </div>
    </>
  );
}
