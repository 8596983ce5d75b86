import { getTranslations } from "next-intl/server";
import { requireDesk } from "@/app/(console)/desk";
import { ClientMessages } from "@/components/layout/client-messages";
import type { CallObject } from "@/lib/calls/view";
import { hrefWith } from "@/lib/text/page";
import { CallsDisclosure } from "./calls-disclosure";

type ObjectCallsProps = { kind: CallObject; id: string };

export async function ObjectCalls({ kind, id }: ObjectCallsProps) {
  const [desk, t] = await Promise.all([requireDesk(), getTranslations("calls")]);
  const seesAll = desk.permissions.includes("audit:read");
  return (
    <ClientMessages namespaces={["calls"]}>
      <CallsDisclosure
        title={t("about")}
        address={hrefWith("/api/calls/about", { kind, id })}
        allHref={seesAll ? hrefWith("/calls", { sought: `${kind}:${id}` }) : null}
      />
    </ClientMessages>
  );
}
