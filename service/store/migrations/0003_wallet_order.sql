DROP INDEX "wallet_client";--> statement-breakpoint
ALTER TABLE "wallet" ADD COLUMN "sequence" bigserial NOT NULL;--> statement-breakpoint
CREATE INDEX "wallet_client" ON "wallet" USING btree ("client_id","sequence");