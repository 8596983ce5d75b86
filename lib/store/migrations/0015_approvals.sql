CREATE TABLE "approval" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"permission" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"object" text NOT NULL,
	"is_exclusive" boolean NOT NULL,
	"body_hash" text NOT NULL,
	"frozen_sealed" text NOT NULL,
	"policy_version" integer NOT NULL,
	"maker_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"state" text NOT NULL,
	"decider_id" uuid,
	"decided_at" timestamp with time zone,
	"decision_sealed" text,
	"owner" uuid,
	"executing_until" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"code" text,
	"maker_saw_at" timestamp with time zone,
	CONSTRAINT "approval_tenant_id_pk" PRIMARY KEY("tenant","id"),
	CONSTRAINT "approval_never_ones_own" CHECK ("approval"."decider_id" <> "approval"."maker_id")
);
--> statement-breakpoint
CREATE TABLE "approval_comment" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"approval_id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"text_sealed" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "approval_comment_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
CREATE TABLE "approval_policy" (
	"tenant" text NOT NULL,
	"kind" text NOT NULL,
	"version" integer NOT NULL,
	"rule" text NOT NULL,
	"amount" text,
	"expires_after_hours" integer NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "approval_policy_tenant_kind_version_pk" PRIMARY KEY("tenant","kind","version")
);
--> statement-breakpoint
ALTER TABLE "approval" ADD CONSTRAINT "approval_maker_id_staff_id_fk" FOREIGN KEY ("maker_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval" ADD CONSTRAINT "approval_decider_id_staff_id_fk" FOREIGN KEY ("decider_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_comment" ADD CONSTRAINT "approval_comment_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_comment" ADD CONSTRAINT "approval_comment_tenant_approval_id_approval_tenant_id_fk" FOREIGN KEY ("tenant","approval_id") REFERENCES "public"."approval"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_policy" ADD CONSTRAINT "approval_policy_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "approval_intent" ON "approval" USING btree ("tenant","intent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "approval_open" ON "approval" USING btree ("tenant","kind","object") WHERE state in ('PENDING', 'AUTHORISED') and is_exclusive;--> statement-breakpoint
CREATE INDEX "approval_state" ON "approval" USING btree ("tenant","state","created_at");--> statement-breakpoint
CREATE INDEX "approval_maker" ON "approval" USING btree ("tenant","maker_id","created_at");--> statement-breakpoint
CREATE INDEX "approval_object" ON "approval" USING btree ("tenant","object","created_at");--> statement-breakpoint
CREATE INDEX "approval_comment_of" ON "approval_comment" USING btree ("tenant","approval_id","created_at");--> statement-breakpoint
-- What is sealed may be sealed anew under another key; it names its own row, so it cannot be exchanged for another one's.
CREATE FUNCTION keep_approval_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
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
    ('PENDING', 'AUTHORISED'), ('PENDING', 'REFUSED'), ('PENDING', 'WITHDRAWN'), ('PENDING', 'EXPIRED'),
    ('AUTHORISED', 'EXECUTED'), ('AUTHORISED', 'HELD'), ('AUTHORISED', 'FAILED'), ('AUTHORISED', 'UNKNOWN'),
    ('UNKNOWN', 'EXECUTED'), ('UNKNOWN', 'HELD'), ('UNKNOWN', 'FAILED'), ('HELD', 'EXECUTED'), ('HELD', 'FAILED')
  ) THEN
    RAISE EXCEPTION 'an approval does not go from % to %', OLD.state, NEW.state;
  END IF;
  RETURN NEW;
END;
$$;
--> statement-breakpoint
CREATE TRIGGER approval_frozen BEFORE UPDATE OR DELETE ON approval
  FOR EACH ROW EXECUTE FUNCTION keep_approval_frozen();
--> statement-breakpoint
CREATE TRIGGER approval_not_emptied BEFORE TRUNCATE ON approval
  FOR EACH STATEMENT EXECUTE FUNCTION keep_approval_frozen();
--> statement-breakpoint
CREATE FUNCTION keep_approval_comment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'approval_comment is append-only';
  END IF;
  IF (NEW.tenant, NEW.id, NEW.approval_id, NEW.staff_id, NEW.created_at)
    IS DISTINCT FROM (OLD.tenant, OLD.id, OLD.approval_id, OLD.staff_id, OLD.created_at) THEN
    RAISE EXCEPTION 'approval_comment is append-only';
  END IF;
  RETURN NEW;
END;
$$;
--> statement-breakpoint
CREATE TRIGGER approval_comment_append_only BEFORE UPDATE OR DELETE ON approval_comment
  FOR EACH ROW EXECUTE FUNCTION keep_approval_comment();
--> statement-breakpoint
CREATE TRIGGER approval_comment_not_emptied BEFORE TRUNCATE ON approval_comment
  FOR EACH STATEMENT EXECUTE FUNCTION keep_approval_comment();
--> statement-breakpoint
CREATE FUNCTION keep_approval_policy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'approval_policy is append-only';
END;
$$;
--> statement-breakpoint
CREATE TRIGGER approval_policy_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON approval_policy
  FOR EACH STATEMENT EXECUTE FUNCTION keep_approval_policy();
