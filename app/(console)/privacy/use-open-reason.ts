import { useScope } from "@/components/session/scope";
import { OPEN_FOR_MS, type RevealTarget } from "@/lib/privacy/view";

/** Until when a reason covers a record, by session scope and record; the server decides. */
const openUntil = new Map<string, number>();

type Customer = Pick<RevealTarget, "kind" | "id">;

export function useOpenReason({ kind, id }: Customer) {
  const scope = useScope();
  const record = `${scope.id} ${kind}:${id}`;
  return {
    isOpen: () => Date.now() < (openUntil.get(record) ?? 0),
    open: () => {
      if (Date.now() >= (openUntil.get(record) ?? 0)) openUntil.set(record, Date.now() + OPEN_FOR_MS);
    },
    close: () => openUntil.delete(record),
  };
}
