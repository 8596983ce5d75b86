import { useTranslations } from "next-intl";
import { Badge, type Tone } from "@/components/ui/badge";

export type Environment = "EMBEDDED" | "SANDBOX" | "PRODUCTION";

const TONES: Record<Environment, Tone> = { EMBEDDED: "info", SANDBOX: "warning", PRODUCTION: "negative" };

/** Where an action would really happen: in words and in a colour. */
export function EnvironmentBadge({ environment }: { environment: Environment }) {
  const t = useTranslations("environment");
  return <Badge tone={TONES[environment]}>{t(environment)}</Badge>;
}
