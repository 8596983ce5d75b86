CREATE TABLE "audit_head" (
	"tenant" text PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"hash" text NOT NULL
) WITH (fillfactor = 10);
--> statement-breakpoint
DROP TRIGGER "audit_event_append_only" ON "audit_event";--> statement-breakpoint
DROP INDEX "audit_event_object";--> statement-breakpoint
ALTER TABLE "audit_event" DROP CONSTRAINT "audit_event_pkey";--> statement-breakpoint
ALTER TABLE "audit_event" ALTER COLUMN "seq" SET DEFAULT 0;--> statement-breakpoint
DROP SEQUENCE "audit_event_seq_seq";--> statement-breakpoint
ALTER TABLE "audit_event" ADD COLUMN "hash" text DEFAULT '' NOT NULL;--> statement-breakpoint
-- A field with its length in bytes before it, so that no two rows read alike; "-" is one that is not there.
CREATE FUNCTION audit_field(field text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(octet_length(convert_to(field, 'UTF8')) || ':' || field, '-') || ','
$$;
--> statement-breakpoint
-- What lib/audit/chain.ts computes too, on its own. A change of the fields needs a new first field, and both for all time.
CREATE FUNCTION audit_hash(event audit_event, previous text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(concat(
    audit_field('audit-1'),
    audit_field(event.tenant),
    audit_field(event.seq::text),
    audit_field((extract(epoch FROM event.at) * 1000000)::bigint::text),
    audit_field(event.code),
    audit_field(event.outcome),
    audit_field(event.actor),
    audit_field(event.object),
    audit_field(event.intent_id::text),
    audit_field(event.detail::text),
    audit_field(previous)
  ), 'UTF8')), 'hex')
$$;
--> statement-breakpoint
-- What stands is numbered by time, tenant by tenant, and chained as if it came now.
DO $$
DECLARE
  found record;
  event audit_event;
  head audit_head;
BEGIN
  FOR found IN SELECT kept.ctid AS place, kept AS event FROM audit_event kept ORDER BY kept.tenant, kept.at, kept.seq LOOP
    event := found.event;
    IF head.tenant IS DISTINCT FROM event.tenant THEN
      INSERT INTO audit_head SELECT head.* WHERE head.tenant IS NOT NULL;
      head := ROW(event.tenant, 0, event.at, '');
    END IF;
    event.seq := head.seq + 1;
    event.hash := audit_hash(event, head.hash);
    UPDATE audit_event SET seq = event.seq, hash = event.hash WHERE ctid = found.place;
    head := ROW(event.tenant, event.seq, event.at, event.hash);
  END LOOP;
  INSERT INTO audit_head SELECT head.* WHERE head.tenant IS NOT NULL;
END;
$$;
--> statement-breakpoint
ALTER TABLE "audit_event" ADD CONSTRAINT "audit_event_tenant_seq_pk" PRIMARY KEY("tenant","seq");--> statement-breakpoint
CREATE INDEX "audit_event_at" ON "audit_event" USING btree ("tenant","at");--> statement-breakpoint
CREATE INDEX "audit_event_person" ON "audit_event" USING btree ("tenant","actor","seq");--> statement-breakpoint
CREATE INDEX "audit_event_code" ON "audit_event" USING btree ("tenant","code","seq");--> statement-breakpoint
CREATE INDEX "audit_event_outcome" ON "audit_event" USING btree ("tenant","outcome","seq");--> statement-breakpoint
CREATE INDEX "audit_event_intent" ON "audit_event" USING btree ("tenant","intent_id");--> statement-breakpoint
CREATE INDEX "audit_event_object" ON "audit_event" USING btree ("tenant","object","seq");--> statement-breakpoint
-- Holding the head until the end of the transaction makes the order of the rows that of the commits: no gap, ever.
CREATE FUNCTION chain_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  head audit_head;
BEGIN
  SELECT * INTO head FROM audit_head WHERE tenant = NEW.tenant FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO audit_head VALUES (NEW.tenant, 0, clock_timestamp(), '') ON CONFLICT DO NOTHING;
    SELECT * INTO head FROM audit_head WHERE tenant = NEW.tenant FOR UPDATE;
  END IF;
  NEW.seq := head.seq + 1;
  NEW.at := greatest(clock_timestamp(), head.at);
  NEW.hash := audit_hash(NEW, head.hash);
  UPDATE audit_head SET seq = NEW.seq, at = NEW.at, hash = NEW.hash WHERE tenant = NEW.tenant;
  RETURN NEW;
END;
$$;
--> statement-breakpoint
CREATE TRIGGER audit_event_chain BEFORE INSERT ON audit_event
  FOR EACH ROW EXECUTE FUNCTION chain_audit_event();
--> statement-breakpoint
CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE FUNCTION refuse_head_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP IN ('DELETE', 'TRUNCATE') OR pg_trigger_depth() < 2 THEN
    RAISE EXCEPTION 'audit_head is kept by its trigger';
  END IF;
  RETURN NULL;
END;
$$;
--> statement-breakpoint
CREATE TRIGGER audit_head_kept BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON audit_head
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_head_change();
