ALTER TABLE "crypto_order" ADD COLUMN "asset_before" text;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "asset_before_at" timestamp with time zone;--> statement-breakpoint
CREATE OR REPLACE FUNCTION send_state(of_tenant text, of_intent uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN intent.contradicted_at IS NOT NULL THEN 'UNKNOWN'
    WHEN intent.state <> 'REFUSED' THEN intent.state
    WHEN proposal.state = 'PENDING' THEN 'WAITING'
    WHEN proposal.state = 'AUTHORISED' THEN 'SENDING'
    WHEN proposal.state = 'REFUSED' THEN 'REJECTED'
    WHEN intent.state = 'REFUSED' AND intent.ended_by IS NULL AND intent.attempts > 0 AND coalesce(intent.code, '') NOT IN
      ('not-sent', 'no-connection', 'circuit-open', 'budget-spent', 'unknown-spent', 'token-unavailable', 'token-not-in-time')
      THEN CASE intent.code WHEN 'TRANSACTION_BLOCKED' THEN 'BLOCKED' ELSE 'REFUSED' END
    ELSE 'NOT_SENT' END
  FROM (SELECT 1) AS one
  LEFT JOIN bank_intent AS intent ON intent.tenant = of_tenant AND intent.id = of_intent
  LEFT JOIN approval AS proposal ON proposal.tenant = of_tenant AND proposal.intent_id = of_intent
$$;--> statement-breakpoint
UPDATE crypto_order SET state = 'BLOCKED' WHERE state = 'REFUSED' AND send_state(tenant, intent_id) = 'BLOCKED';
