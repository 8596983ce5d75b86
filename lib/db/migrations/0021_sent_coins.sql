ALTER TABLE "crypto_order" ADD COLUMN "wallet_id" text;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "network" text;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "asset" text;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "token" text;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "amount" text;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "destination_sealed" text;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "destination_hash" text;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "head_hash" text;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "head_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "held_before" text;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "held_before_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "derived_fee" text;--> statement-breakpoint
CREATE INDEX "crypto_order_newest" ON "crypto_order" USING btree ("tenant","ordered_at","intent_id");--> statement-breakpoint
CREATE INDEX "crypto_order_destination" ON "crypto_order" USING btree ("tenant","destination_hash");