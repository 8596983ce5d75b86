CREATE TABLE "access_review" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"people" integer NOT NULL,
	"note_sealed" text NOT NULL,
	"next_on" date NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "access_review_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
CREATE TABLE "reveal_alarm" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"actor" text NOT NULL,
	"cause" text NOT NULL,
	"reveals" integer NOT NULL,
	"bound" integer NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"owner_id" text,
	"ended_at" timestamp with time zone,
	"ended_by" text,
	"note_sealed" text,
	CONSTRAINT "reveal_alarm_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
CREATE TABLE "tenant_setting" (
	"tenant" text NOT NULL,
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"value" jsonb NOT NULL,
	"actor" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "tenant_setting_tenant_name_version_pk" PRIMARY KEY("tenant","name","version")
);
--> statement-breakpoint
CREATE TABLE "suspicion" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"kyc_uuid" text NOT NULL,
	"document" text NOT NULL,
	"occurred_on" date NOT NULL,
	"state" text NOT NULL,
	"entered_on" date NOT NULL,
	"report_number" text,
	"reported_on" date,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "suspicion_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
CREATE TABLE "suspicion_step" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"seq" bigserial NOT NULL,
	"suspicion_id" uuid NOT NULL,
	"state" text NOT NULL,
	"text_sealed" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "suspicion_step_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
ALTER TABLE "account_entry" ADD COLUMN "is_own" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "position_reading" ADD COLUMN "is_unanswered" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "position_round" ADD COLUMN "oldest_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "position_round" ADD COLUMN "newest_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "position_round" ADD COLUMN "again_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "position_round" ADD COLUMN "again_finished_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "position_round" ADD COLUMN "again_tried" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "position_round" ADD COLUMN "again_failed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "chain_movement" ADD COLUMN "is_own" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "asset_before" text;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD COLUMN "asset_before_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "wallet" ADD COLUMN "spellings" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "access_review" ADD CONSTRAINT "access_review_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suspicion" ADD CONSTRAINT "suspicion_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suspicion_step" ADD CONSTRAINT "suspicion_step_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suspicion_step" ADD CONSTRAINT "suspicion_step_tenant_suspicion_id_suspicion_tenant_id_fk" FOREIGN KEY ("tenant","suspicion_id") REFERENCES "public"."suspicion"("tenant","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "reveal_alarm_open" ON "reveal_alarm" USING btree ("tenant","actor") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "reveal_alarm_opened" ON "reveal_alarm" USING btree ("tenant","opened_at");--> statement-breakpoint
CREATE INDEX "suspicion_state" ON "suspicion" USING btree ("tenant","state","changed_at");--> statement-breakpoint
CREATE UNIQUE INDEX "suspicion_open" ON "suspicion" USING btree ("tenant","kyc_uuid") WHERE state in ('suspected', 'analysing', 'to-report');--> statement-breakpoint
CREATE INDEX "suspicion_case" ON "suspicion" USING btree ("tenant","kyc_uuid","created_at");--> statement-breakpoint
CREATE INDEX "suspicion_step_of" ON "suspicion_step" USING btree ("tenant","suspicion_id","seq");--> statement-breakpoint
CREATE INDEX "wallet_spellings" ON "wallet" USING gin ("spellings");--> statement-breakpoint
UPDATE wallet SET spellings = CASE family
  WHEN 'EVM' THEN ARRAY[lower(address), regexp_replace(lower(address), '^0x', '')] ELSE ARRAY[lower(address)] END;--> statement-breakpoint
CREATE FUNCTION spell_wallet() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.spellings := ARRAY(SELECT DISTINCT unnest(NEW.spellings || lower(NEW.address)));
  RETURN NEW;
END;
$$;--> statement-breakpoint
CREATE TRIGGER wallet_spellings BEFORE INSERT OR UPDATE OF address, spellings ON wallet
  FOR EACH ROW EXECUTE FUNCTION spell_wallet();--> statement-breakpoint
CREATE FUNCTION chain_family(network text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE network WHEN 'BITCOIN' THEN 'BTC' WHEN 'TRON' THEN 'TRON' WHEN 'SOLANA' THEN 'SOLANA' WHEN 'XRPL' THEN 'XRPL' ELSE 'EVM' END
$$;--> statement-breakpoint
CREATE FUNCTION is_own_address(of_tenant text, on_network text, told text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM wallet WHERE tenant = of_tenant AND family = chain_family(on_network) AND spellings @> ARRAY[lower(told)])
$$;--> statement-breakpoint
-- One who adds a wallet and one who adds a movement with it wait for each other, so that neither misses what the other adds.
CREATE FUNCTION own_movement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('own wallets ' || NEW.tenant));
  NEW.is_own := is_own_address(NEW.tenant, NEW.network, NEW.counter_address);
  RETURN NEW;
END;
$$;--> statement-breakpoint
CREATE TRIGGER chain_movement_own BEFORE UPDATE OF network, counter_address ON chain_movement
  FOR EACH ROW EXECUTE FUNCTION own_movement();--> statement-breakpoint
CREATE FUNCTION own_new_movements() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('own wallets ' || told.tenant)) FROM (SELECT DISTINCT tenant FROM fresh ORDER BY tenant) AS told;
  UPDATE chain_movement AS moved SET is_own = true
    FROM (SELECT DISTINCT fresh.tenant, fresh.wallet_id, fresh.network, fresh.key, fresh.ordinal FROM fresh
      JOIN (SELECT tenant, family, unnest(spellings) AS spelled FROM wallet WHERE tenant IN (SELECT tenant FROM fresh)) AS own
        ON own.tenant = fresh.tenant AND own.family = chain_family(fresh.network) AND own.spelled = lower(fresh.counter_address)) AS named
    WHERE moved.tenant = named.tenant AND moved.wallet_id = named.wallet_id AND moved.network = named.network
      AND moved.key = named.key AND moved.ordinal = named.ordinal AND NOT moved.is_own;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER chain_movement_own_new AFTER INSERT ON chain_movement REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION own_new_movements();--> statement-breakpoint
CREATE FUNCTION own_movements_with(of_tenant text, addresses text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('own wallets ' || of_tenant));
  UPDATE chain_movement AS moved SET is_own = NOT moved.is_own
    WHERE moved.tenant = of_tenant AND lower(moved.counter_address) = ANY (addresses)
      AND moved.is_own <> is_own_address(moved.tenant, moved.network, moved.counter_address);
END;
$$;--> statement-breakpoint
CREATE FUNCTION own_movements_of_wallet() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN PERFORM own_movements_with(NEW.tenant, NEW.spellings);
  ELSIF TG_OP = 'DELETE' THEN PERFORM own_movements_with(OLD.tenant, OLD.spellings);
  ELSIF (OLD.spellings, OLD.family) IS DISTINCT FROM (NEW.spellings, NEW.family) THEN
    PERFORM own_movements_with(NEW.tenant, OLD.spellings || NEW.spellings);
  END IF;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER wallet_own_movements AFTER INSERT OR UPDATE OF address, spellings, family OR DELETE ON wallet
  FOR EACH ROW EXECUTE FUNCTION own_movements_of_wallet();--> statement-breakpoint
UPDATE chain_movement SET is_own = true WHERE is_own_address(tenant, network, counter_address);--> statement-breakpoint
-- An entry is of two own accounts when the other one tells the same transaction the other way, or when it was ordered here between two of them.
CREATE FUNCTION is_own_entry(one account_entry) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT one.direction IS NOT NULL AND one.transaction_id <> '' AND (
    EXISTS (SELECT FROM transfer WHERE transfer.tenant = one.tenant AND transfer.transaction_id = one.transaction_id AND transfer.kind = 'INTERNAL')
    OR EXISTS (SELECT FROM account_entry AS other WHERE other.tenant = one.tenant AND other.transaction_id = one.transaction_id
      AND other.account_ref <> one.account_ref AND other.direction <> one.direction AND other.value = one.value
      AND (other.dropped_at IS NULL OR one.dropped_at IS NOT NULL)))
$$;--> statement-breakpoint
CREATE FUNCTION own_entries_of(of_tenant text, id text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(id, '') = '' THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtext('own accounts ' || of_tenant));
  UPDATE account_entry AS one SET is_own = NOT one.is_own
    WHERE one.tenant = of_tenant AND one.transaction_id = id AND one.is_own <> is_own_entry(one);
END;
$$;--> statement-breakpoint
CREATE FUNCTION own_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM own_entries_of(OLD.tenant, OLD.transaction_id);
  IF TG_OP = 'UPDATE' AND OLD.transaction_id IS DISTINCT FROM NEW.transaction_id THEN
    PERFORM own_entries_of(NEW.tenant, NEW.transaction_id);
  END IF;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER account_entry_own AFTER DELETE OR UPDATE OF transaction_id, direction, amount, dropped_at ON account_entry
  FOR EACH ROW EXECUTE FUNCTION own_entries();--> statement-breakpoint
-- New ones in one statement for all: a statement of a hundred thousand entries is read at once.
CREATE FUNCTION own_new_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('own accounts ' || told.tenant)) FROM (SELECT DISTINCT tenant FROM fresh ORDER BY tenant) AS told;
  UPDATE account_entry AS one SET is_own = NOT one.is_own
    FROM (SELECT DISTINCT tenant, transaction_id FROM fresh WHERE transaction_id <> '') AS named
    WHERE one.tenant = named.tenant AND one.transaction_id = named.transaction_id AND one.is_own <> is_own_entry(one);
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER account_entry_own_new AFTER INSERT ON account_entry REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION own_new_entries();--> statement-breakpoint
CREATE FUNCTION own_entries_of_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.kind = 'INTERNAL' THEN PERFORM own_entries_of(NEW.tenant, NEW.transaction_id); END IF;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER transfer_own_entries AFTER INSERT OR UPDATE OF transaction_id ON transfer
  FOR EACH ROW EXECUTE FUNCTION own_entries_of_transfer();--> statement-breakpoint
UPDATE account_entry AS one SET is_own = true WHERE is_own_entry(one);--> statement-breakpoint
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
