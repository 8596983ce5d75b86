CREATE TABLE "dossier" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"object" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"opening" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"frozen_hash" text NOT NULL,
	"frozen_sealed" text,
	"recheck_sealed" text,
	"sealed_at" timestamp with time zone,
	"end_state" text,
	"file_sealed" text,
	"sha256" text,
	"signed_by" text,
	CONSTRAINT "dossier_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
ALTER TABLE "bank_intent" ADD COLUMN "answer_hash" text;--> statement-breakpoint
ALTER TABLE "dossier" ADD CONSTRAINT "dossier_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier" ADD CONSTRAINT "dossier_tenant_intent_id_bank_intent_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."bank_intent"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "dossier_opening" ON "dossier" USING btree ("tenant","intent_id","opening");--> statement-breakpoint
CREATE INDEX "dossier_object" ON "dossier" USING btree ("tenant","object","created_at");--> statement-breakpoint
-- What is sealed may be sealed anew under another key; it names its own row, so it cannot be exchanged for another one's.
CREATE FUNCTION keep_dossier() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    RAISE EXCEPTION 'dossiers are not emptied';
  END IF;
  IF (NEW.tenant, NEW.id, NEW.object, NEW.intent_id, NEW.opening, NEW.staff_id, NEW.created_at, NEW.frozen_hash)
    IS DISTINCT FROM
     (OLD.tenant, OLD.id, OLD.object, OLD.intent_id, OLD.opening, OLD.staff_id, OLD.created_at, OLD.frozen_hash) THEN
    RAISE EXCEPTION 'what was frozen stays as it was';
  END IF;
  IF OLD.sealed_at IS NOT NULL AND (
    (NEW.sealed_at, NEW.end_state, NEW.sha256, NEW.signed_by) IS DISTINCT FROM
    (OLD.sealed_at, OLD.end_state, OLD.sha256, OLD.signed_by)
    OR NEW.file_sealed IS NULL OR NEW.frozen_sealed IS NOT NULL OR NEW.recheck_sealed IS NOT NULL
  ) THEN
    RAISE EXCEPTION 'a dossier is sealed once';
  END IF;
  IF (NEW.sealed_at IS NULL) <> (NEW.file_sealed IS NULL) OR (NEW.sealed_at IS NULL) = (NEW.frozen_sealed IS NULL) THEN
    RAISE EXCEPTION 'a dossier is either frozen or sealed';
  END IF;
  RETURN NEW;
END;
$$;
--> statement-breakpoint
CREATE TRIGGER dossier_kept BEFORE UPDATE ON dossier
  FOR EACH ROW EXECUTE FUNCTION keep_dossier();
--> statement-breakpoint
CREATE TRIGGER dossier_not_emptied BEFORE TRUNCATE ON dossier
  FOR EACH STATEMENT EXECUTE FUNCTION keep_dossier();
