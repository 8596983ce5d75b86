ALTER TABLE "wallet_request" DROP CONSTRAINT "wallet_request_tenant_intent_id_bank_intent_tenant_id_fk";
