import { bigint, integer, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "@/lib/store/columns";

/** One number for each of the last 62 seconds, the newest last. */
const perSecond = (name: string) => integer(name).array().notNull();

/**
 * What all instances together asked of one provider lately. Only `bank_budget_take` and `bank_budget_refused` write it, under
 * the row's lock; they stand beside the table in its migration.
 */
export const bankBudget = pgTable("bank_budget", {
  /** Of the provider's address, for it counts what comes from ours. */
  origin: text("origin").primaryKey(),
  /** The newest one counted, since 1970 by the store's clock. */
  second: bigint("second", { mode: "number" }).notNull(),
  money: perSecond("money"),
  people: perSecond("people"),
  watchers: perSecond("watchers"),
  /** How many of them the provider answered with 429. */
  refused: perSecond("refused"),
  /** The limit after the last 429; it grows again from there. */
  loweredTo: integer("lowered_to"),
  pausedUntil: instant("paused_until"),
  /** While money waits on some instance the other lanes yield, while people do, the watchers. */
  moneyWaitsUntil: instant("money_waits_until"),
  peopleWaitUntil: instant("people_wait_until"),
});
