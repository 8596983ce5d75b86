ALTER TABLE "kyc_decision" DROP CONSTRAINT "kyc_decision_pkey";--> statement-breakpoint
ALTER TABLE "kyc_decision" ADD CONSTRAINT "kyc_decision_tenant_intent_id_pk" PRIMARY KEY("tenant","intent_id");
