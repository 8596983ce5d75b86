CREATE TABLE "intent_claim" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"body_hash" text,
	"actor" text NOT NULL,
	"is_proposed" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "intent_claim_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
-- The earliest use of an id is what it means. A write that somebody agreed to is its proposal's.
INSERT INTO "intent_claim" ("tenant", "id", "kind", "body_hash", "actor", "is_proposed", "created_at")
WITH proposed AS (
  SELECT tenant, intent_id AS id, body_hash, maker_id::text AS actor, created_at,
    CASE kind
      WHEN 'kyc.decision' THEN '/v1/kyc/manual-decision'
      WHEN 'account.close' THEN '/v1/bank-accounts/closeAccount'
      WHEN 'transfer.internal' THEN '/v1/bank-accounts/generateInternalTransferRequest'
      WHEN 'transfer.external' THEN '/v1/bank-accounts/generateExternalTransferRequest'
      WHEN 'crypto.transfer' THEN '/v1/crypto/transfer'
      ELSE kind
    END AS kind
  FROM approval
), used AS (
  SELECT tenant, id, kind, body_hash, actor, true AS is_proposed, created_at FROM proposed
  UNION ALL
  SELECT tenant, id, operation, body_hash, actor, false, created_at FROM bank_intent
    WHERE NOT EXISTS (SELECT 1 FROM proposed
      WHERE proposed.tenant = bank_intent.tenant AND proposed.id = bank_intent.id AND proposed.kind = bank_intent.operation)
  UNION ALL
  SELECT tenant, id, 'outcome.end', NULL, staff_id::text, false, created_at FROM outcome_conclusion
  UNION ALL
  SELECT tenant, id, 'staff.invite', NULL, invited_by, false, created_at FROM staff_invitation
)
SELECT DISTINCT ON (tenant, id) tenant, id, kind, body_hash, actor, is_proposed, created_at FROM used
ORDER BY tenant, id, created_at, is_proposed DESC;
--> statement-breakpoint
ALTER TABLE "bank_intent" ADD COLUMN "opening" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "transfer" ADD COLUMN "approval_id" uuid;
--> statement-breakpoint
UPDATE "transfer" SET "approval_id" = approval.id FROM approval
WHERE approval.tenant = transfer.tenant AND approval.intent_id = transfer.intent_id
  AND approval.kind = CASE transfer.kind WHEN 'INTERNAL' THEN 'transfer.internal' ELSE 'transfer.external' END
  AND approval.maker_id = transfer.staff_id AND approval.decider_id IS NOT NULL
  AND approval.state IN ('AUTHORISED', 'EXECUTED', 'HELD', 'UNKNOWN', 'FAILED');
--> statement-breakpoint
ALTER TABLE "approval" ADD CONSTRAINT "approval_tenant_intent_id_intent_claim_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."intent_claim"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_invitation" ADD CONSTRAINT "staff_invitation_tenant_id_intent_claim_tenant_id_fk" FOREIGN KEY ("tenant","id") REFERENCES "public"."intent_claim"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_intent" ADD CONSTRAINT "bank_intent_tenant_id_intent_claim_tenant_id_fk" FOREIGN KEY ("tenant","id") REFERENCES "public"."intent_claim"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcome_conclusion" ADD CONSTRAINT "outcome_conclusion_tenant_id_intent_claim_tenant_id_fk" FOREIGN KEY ("tenant","id") REFERENCES "public"."intent_claim"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer" ADD CONSTRAINT "transfer_tenant_approval_id_approval_tenant_id_fk" FOREIGN KEY ("tenant","approval_id") REFERENCES "public"."approval"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE FUNCTION keep_intent_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'an id keeps its meaning';
  END IF;
  IF (NEW.tenant, NEW.id, NEW.kind, NEW.actor, NEW.created_at)
    IS DISTINCT FROM (OLD.tenant, OLD.id, OLD.kind, OLD.actor, OLD.created_at) OR OLD.is_proposed THEN
    RAISE EXCEPTION 'an id keeps its act and its person';
  END IF;
  RETURN NEW;
END;
$$;--> statement-breakpoint
CREATE TRIGGER intent_claim_kept BEFORE UPDATE OR DELETE ON intent_claim
  FOR EACH ROW EXECUTE FUNCTION keep_intent_claim();--> statement-breakpoint
CREATE TRIGGER intent_claim_not_emptied BEFORE TRUNCATE ON intent_claim
  FOR EACH STATEMENT EXECUTE FUNCTION keep_intent_claim();
