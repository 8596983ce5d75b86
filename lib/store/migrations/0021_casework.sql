CREATE TABLE "kyc_case_rules" (
	"tenant" text NOT NULL,
	"version" integer NOT NULL,
	"rules" jsonb NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "kyc_case_rules_tenant_version_pk" PRIMARY KEY("tenant","version")
);
--> statement-breakpoint
CREATE TABLE "kyc_event" (
	"tenant" text NOT NULL,
	"id" bigserial NOT NULL,
	"kyc_uuid" text NOT NULL,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"kind" text NOT NULL,
	"actor" uuid,
	"detail" jsonb NOT NULL,
	CONSTRAINT "kyc_event_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
ALTER TABLE "kyc_case" ADD COLUMN "assignee_id" uuid;--> statement-breakpoint
ALTER TABLE "kyc_case" ADD COLUMN "assigned_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "kyc_case" ADD COLUMN "waiting_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "kyc_case" ADD COLUMN "due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "kyc_case" ADD COLUMN "decided_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "kyc_case" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "kyc_case_rules" ADD CONSTRAINT "kyc_case_rules_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_event" ADD CONSTRAINT "kyc_event_actor_staff_id_fk" FOREIGN KEY ("actor") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "kyc_event_case" ON "kyc_event" USING btree ("tenant","kyc_uuid","id");--> statement-breakpoint
CREATE INDEX "kyc_event_kind" ON "kyc_event" USING btree ("tenant","kind","at");--> statement-breakpoint
ALTER TABLE "kyc_case" ADD CONSTRAINT "kyc_case_assignee_id_staff_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "kyc_case_assignee" ON "kyc_case" USING btree ("tenant","assignee_id","status","seq");--> statement-breakpoint
CREATE INDEX "kyc_case_due" ON "kyc_case" USING btree ("tenant","due_at") WHERE decided_at is null;--> statement-breakpoint
CREATE INDEX "kyc_case_document" ON "kyc_case" USING btree ("tenant","vat_number");--> statement-breakpoint
CREATE INDEX "kyc_case_tags" ON "kyc_case" USING gin ("tags");--> statement-breakpoint
UPDATE "kyc_case" SET "decided_at" = "changed_at" WHERE "status" IN ('APPROVED', 'REPROVED');--> statement-breakpoint
UPDATE "kyc_case" SET "waiting_since" = "changed_at", "due_at" = "changed_at" + CASE WHEN "kyc_type" = 'PJ' THEN interval '48 hours' ELSE interval '24 hours' END WHERE "status" = 'PENDING';--> statement-breakpoint
INSERT INTO "kyc_event" ("tenant", "kyc_uuid", "at", "kind", "actor", "detail") SELECT "tenant", "kyc_uuid", "first_seen_at", 'seen', NULL, jsonb_build_object('status', "status", 'process', "process") FROM "kyc_case" ORDER BY "tenant", "seq";
