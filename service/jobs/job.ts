import type { Service } from "@/service/context";
import type { Tx } from "@/service/store/db";

/** What is done when planned work of that kind falls due; it runs in the transaction that removes the plan. */
export type JobKind = { kind: string; run: (service: Service, tx: Tx, subject: string) => Promise<void> };
