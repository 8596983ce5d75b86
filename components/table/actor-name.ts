import { useMessages, useTranslations } from "next-intl";
import type { WatchName } from "@/lib/permission/watches";

/** On the server, too. */
export function useActorName(): (by: { actor: string; byName: string | null }) => string {
  const t = useTranslations("actors");
  const { watches } = useMessages().actors;
  const isWatch = (name: string): name is WatchName => Object.hasOwn(watches, name);
  return ({ actor, byName }) => {
    if (byName !== null) return byName;
    if (actor === "command") return t("command");
    if (actor === "nobody") return t("nobody");
    if (actor === "oidc") return t("company");
    if (!actor.startsWith("watch:")) return actor;
    const watch = actor.slice("watch:".length);
    return t("watch", { name: isWatch(watch) ? t(`watches.${watch}`) : watch });
  };
}
