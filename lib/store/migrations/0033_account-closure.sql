CREATE TABLE "account_closure" (
	"tenant" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"account_ref" uuid NOT NULL,
	"reason_sealed" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"seen_open_at" timestamp with time zone,
	CONSTRAINT "account_closure_tenant_intent_id_pk" PRIMARY KEY("tenant","intent_id")
);
--> statement-breakpoint
DROP INDEX "approval_open";--> statement-breakpoint
ALTER TABLE "account_closure" ADD CONSTRAINT "account_closure_account_ref_account_ref_fk" FOREIGN KEY ("account_ref") REFERENCES "public"."account"("ref") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_closure" ADD CONSTRAINT "account_closure_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_closure" ADD CONSTRAINT "account_closure_tenant_intent_id_bank_intent_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."bank_intent"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_closure_account" ON "account_closure" USING btree ("tenant","account_ref","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "approval_open" ON "approval" USING btree ("tenant","kind","object") WHERE state in ('PENDING', 'READY', 'AUTHORISED') and is_exclusive;--> statement-breakpoint
-- As before, and what only its maker can complete waits as READY for them, and comes back to it when it had no effect.
CREATE OR REPLACE FUNCTION keep_approval_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'an approval is never removed';
  END IF;
  IF (NEW.tenant, NEW.id, NEW.kind, NEW.permission, NEW.intent_id, NEW.object, NEW.is_exclusive, NEW.body_hash,
      NEW.policy_version, NEW.maker_id, NEW.created_at, NEW.expires_at)
    IS DISTINCT FROM
     (OLD.tenant, OLD.id, OLD.kind, OLD.permission, OLD.intent_id, OLD.object, OLD.is_exclusive, OLD.body_hash,
      OLD.policy_version, OLD.maker_id, OLD.created_at, OLD.expires_at) THEN
    RAISE EXCEPTION 'what was proposed is frozen';
  END IF;
  IF OLD.state <> 'PENDING' AND (NEW.decider_id, NEW.decided_at) IS DISTINCT FROM (OLD.decider_id, OLD.decided_at) THEN
    RAISE EXCEPTION 'an approval is decided once';
  END IF;
  IF NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
    ('PENDING', 'READY'), ('PENDING', 'AUTHORISED'), ('PENDING', 'REFUSED'), ('PENDING', 'WITHDRAWN'), ('PENDING', 'EXPIRED'),
    ('READY', 'AUTHORISED'), ('READY', 'WITHDRAWN'), ('READY', 'EXPIRED'), ('READY', 'FAILED'),
    ('AUTHORISED', 'READY'), ('AUTHORISED', 'EXECUTED'), ('AUTHORISED', 'HELD'), ('AUTHORISED', 'FAILED'), ('AUTHORISED', 'UNKNOWN'),
    ('UNKNOWN', 'EXECUTED'), ('UNKNOWN', 'HELD'), ('UNKNOWN', 'FAILED'), ('HELD', 'EXECUTED'), ('HELD', 'FAILED')
  ) THEN
    RAISE EXCEPTION 'an approval does not go from % to %', OLD.state, NEW.state;
  END IF;
  RETURN NEW;
END;
$$;
