ALTER TABLE "crypto_order" ADD COLUMN "fingerprint_sealed" text;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "fingerprint_hash" text;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "is_open" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "tx_hash" text;--> statement-breakpoint
CREATE INDEX "crypto_order_fingerprint" ON "crypto_order" USING btree ("tenant","fingerprint_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "crypto_order_open" ON "crypto_order" USING btree ("tenant","fingerprint_hash") WHERE is_open;--> statement-breakpoint
CREATE INDEX "crypto_order_hash" ON "crypto_order" USING btree ("tenant",regexp_replace(lower("tx_hash"), '^0x', ''));