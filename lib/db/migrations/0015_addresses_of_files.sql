ALTER TABLE "wallet_request" DROP CONSTRAINT "wallet_request_tenant_intent_id_bank_intent_tenant_id_fk";
--> statement-breakpoint
ALTER TABLE "wallet_request" ADD CONSTRAINT "wallet_request_tenant_intent_id_intent_claim_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."intent_claim"("tenant","id") ON DELETE no action ON UPDATE no action;