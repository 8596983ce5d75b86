INSERT INTO "bank_intent" ("tenant", "id", "operation", "object", "is_exclusive", "actor", "body_hash", "key", "state", "attempts", "may_have_executed", "owner", "sending_until", "created_at", "first_sent_at", "finished_at")
SELECT "tenant", "intent_id", '/v1/kyc/manual-decision', 'kyc:' || "kyc_uuid", true, "staff_id"::text, '', gen_random_uuid(), "state", 1, "state" <> 'REFUSED', gen_random_uuid(), "created_at" + interval '75 seconds', "created_at", "created_at", "finished_at"
FROM "kyc_decision";--> statement-breakpoint
DROP INDEX "kyc_decision_in_flight";--> statement-breakpoint
ALTER TABLE "kyc_decision" ADD CONSTRAINT "kyc_decision_tenant_intent_id_bank_intent_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."bank_intent"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_decision" DROP COLUMN "state";--> statement-breakpoint
ALTER TABLE "kyc_decision" DROP COLUMN "finished_at";