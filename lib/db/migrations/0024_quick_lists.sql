ALTER TABLE "account_entry" ADD COLUMN "value" numeric GENERATED ALWAYS AS (case when length(amount) <= 1000 and amount ~ '^[0-9]+([.][0-9]+)?$' then amount::numeric end) STORED;--> statement-breakpoint
ALTER TABLE "account_entry" ADD COLUMN "day" date GENERATED ALWAYS AS ((at at time zone 'America/Sao_Paulo')::date) STORED;--> statement-breakpoint
ALTER TABLE "chain_movement" ADD COLUMN "value" numeric GENERATED ALWAYS AS (case when length(amount) <= 1000 and amount ~ '^[0-9]+([.][0-9]+)?$' then amount::numeric end) STORED;--> statement-breakpoint
ALTER TABLE "chain_movement" ADD COLUMN "day" date GENERATED ALWAYS AS ((at at time zone 'America/Sao_Paulo')::date) STORED;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "value" numeric GENERATED ALWAYS AS (case when length(amount) <= 1000 and amount ~ '^[0-9]+([.][0-9]+)?$' then amount::numeric end) STORED;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "state" text DEFAULT 'NOT_SENT' NOT NULL;--> statement-breakpoint
CREATE INDEX "crypto_order_state" ON "crypto_order" USING btree ("tenant","state","ordered_at","intent_id");--> statement-breakpoint
CREATE INDEX "crypto_order_wallet" ON "crypto_order" USING btree ("tenant","wallet_id","ordered_at","intent_id");--> statement-breakpoint
CREATE INDEX "crypto_order_coin" ON "crypto_order" USING btree ("tenant","network","asset");--> statement-breakpoint
CREATE INDEX "crypto_order_sums" ON "crypto_order" USING btree ("tenant","state","network","asset","token","value");--> statement-breakpoint
-- What the provider contradicted is not known again; what was refused and proposed anew stands as its proposal. The codes are those of NEVER_ARRIVED.
CREATE FUNCTION send_state(of_tenant text, of_intent uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN intent.contradicted_at IS NOT NULL THEN 'UNKNOWN'
    WHEN intent.state <> 'REFUSED' THEN intent.state
    WHEN proposal.state = 'PENDING' THEN 'WAITING'
    WHEN proposal.state = 'AUTHORISED' THEN 'SENDING'
    WHEN proposal.state = 'REFUSED' THEN 'REJECTED'
    WHEN intent.state = 'REFUSED' AND intent.ended_by IS NULL AND intent.attempts > 0 AND coalesce(intent.code, '') NOT IN
      ('not-sent', 'no-connection', 'circuit-open', 'budget-spent', 'unknown-spent', 'token-unavailable', 'token-not-in-time') THEN 'REFUSED'
    ELSE 'NOT_SENT' END
  FROM (SELECT 1) AS one
  LEFT JOIN bank_intent AS intent ON intent.tenant = of_tenant AND intent.id = of_intent
  LEFT JOIN approval AS proposal ON proposal.tenant = of_tenant AND proposal.intent_id = of_intent
$$;--> statement-breakpoint
CREATE FUNCTION state_new_send() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.state := send_state(NEW.tenant, NEW.intent_id);
  RETURN NEW;
END;
$$;--> statement-breakpoint
CREATE FUNCTION state_sends_of_intent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE crypto_order SET state = send_state(NEW.tenant, NEW.id)
    WHERE tenant = NEW.tenant AND intent_id = NEW.id AND state <> send_state(NEW.tenant, NEW.id);
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE FUNCTION state_sends_of_proposal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE crypto_order SET state = send_state(NEW.tenant, NEW.intent_id)
    WHERE tenant = NEW.tenant AND intent_id = NEW.intent_id AND state <> send_state(NEW.tenant, NEW.intent_id);
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER crypto_order_state BEFORE INSERT ON crypto_order
  FOR EACH ROW EXECUTE FUNCTION state_new_send();--> statement-breakpoint
CREATE TRIGGER bank_intent_send_state AFTER INSERT OR UPDATE OF state, attempts, code, ended_by, contradicted_at ON bank_intent
  FOR EACH ROW EXECUTE FUNCTION state_sends_of_intent();--> statement-breakpoint
CREATE TRIGGER approval_send_state AFTER INSERT OR UPDATE OF state ON approval
  FOR EACH ROW EXECUTE FUNCTION state_sends_of_proposal();--> statement-breakpoint
UPDATE crypto_order SET state = send_state(tenant, intent_id);
