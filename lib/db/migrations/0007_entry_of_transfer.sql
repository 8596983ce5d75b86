CREATE INDEX "transfer_transaction" ON "transfer" USING btree ("tenant","transaction_id");--> statement-breakpoint
CREATE INDEX "transfer_return" ON "transfer" USING btree ("tenant","return_id");