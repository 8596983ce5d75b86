ALTER TABLE "bank_token" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "bank_token" CASCADE;--> statement-breakpoint
CREATE INDEX "bank_call_provider_request" ON "bank_call" USING btree ("tenant","provider_request_id") WHERE provider_request_id is not null;--> statement-breakpoint
ALTER TABLE "live_event" DROP COLUMN "as_of";