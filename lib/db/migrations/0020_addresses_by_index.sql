CREATE INDEX "chain_movement_counterparty" ON "chain_movement" USING btree ("tenant",lower("counter_address") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "chain_movement_ending" ON "chain_movement" USING btree ("tenant",right(lower("counter_address"), 4));--> statement-breakpoint
CREATE INDEX "wallet_address" ON "wallet" USING btree ("tenant",lower("address"));