ALTER TABLE "chain_movement" ADD COLUMN "told_fee" text;--> statement-breakpoint
ALTER TABLE "wallet" ADD COLUMN "reference_hash" text;--> statement-breakpoint
ALTER TABLE "wallet" ADD COLUMN "reference_sealed" text;--> statement-breakpoint
CREATE INDEX "wallet_reference" ON "wallet" USING btree ("tenant","reference_hash");