ALTER TABLE "account" ADD COLUMN "user_id" text;--> statement-breakpoint
ALTER TABLE "wallet" ADD COLUMN "user_id" text;--> statement-breakpoint
CREATE INDEX "wallet_user" ON "wallet" USING btree ("tenant","user_id");