import { getTranslations } from "next-intl/server";
import { requireScope } from "@/app/(console)/screen";
import type { CallObject } from "@/lib/audit/object-view";
import { hrefWith } from "@/lib/text/page";
import { CallsDisclosure } from "./calls-disclosure";

type ObjectCallsProps = { kind: CallObject; id: string };

export async function ObjectCalls({ kind, id }: ObjectCallsProps) {
  const [scope, t] = await Promise.all([requireScope(), getTranslations("calls")]);
  const seesAll = scope.permissions.includes("audit:read");
  return (
    <CallsDisclosure
      title={t("about")}
      address={hrefWith("/api/calls/about", { kind, id })}
      allHref={seesAll ? hrefWith("/calls", { search: `${kind}:${id}` }) : null}
    />
  );
}
