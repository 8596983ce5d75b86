DROP INDEX "chain_entry_history";--> statement-breakpoint
ALTER TABLE "chain_entry" ADD COLUMN "sequence" bigserial NOT NULL;--> statement-breakpoint
ALTER TABLE "chain_entry" ADD COLUMN "fee" text;--> statement-breakpoint
ALTER TABLE "wallet" ADD COLUMN "reference" text;--> statement-breakpoint
CREATE INDEX "wallet_master" ON "wallet" USING btree ("client_id","family","sequence") WHERE "wallet"."is_forward_payment" = 0 and "wallet"."user_id" is null;--> statement-breakpoint
CREATE INDEX "chain_entry_history" ON "chain_entry" USING btree ("wallet_id","network","block_number","sequence");