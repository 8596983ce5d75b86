CREATE TABLE "casework_content" (
	"tenant" text NOT NULL,
	"file_id" uuid NOT NULL,
	"key_sealed" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "casework_content_tenant_file_id_pk" PRIMARY KEY("tenant","file_id")
);
--> statement-breakpoint
CREATE TABLE "casework_file" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"object" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"name_sealed" text NOT NULL,
	"media_type" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"sha256" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"removed_at" timestamp with time zone,
	"removed_by" uuid,
	"reason_sealed" text,
	CONSTRAINT "casework_file_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
CREATE TABLE "casework_note" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"object" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"text_sealed" text,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"retracted_at" timestamp with time zone,
	CONSTRAINT "casework_note_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
CREATE TABLE "kyc_away" (
	"tenant" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"until" timestamp with time zone NOT NULL,
	CONSTRAINT "kyc_away_tenant_staff_id_pk" PRIMARY KEY("tenant","staff_id")
);
--> statement-breakpoint
ALTER TABLE "onboarding" ADD COLUMN "trace_id" text;--> statement-breakpoint
ALTER TABLE "onboarding" ADD COLUMN "kind" text GENERATED ALWAYS AS (case when length(substring(document_sealed from '[^.]*$')) <= 52 then 'PF' else 'PJ' end) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "onboarding" ADD COLUMN "stage" text DEFAULT 'background-check' NOT NULL;--> statement-breakpoint
ALTER TABLE "onboarding" ADD COLUMN "who_acts" text DEFAULT 'provider' NOT NULL;--> statement-breakpoint
ALTER TABLE "onboarding" ADD COLUMN "returns" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "onboarding" ADD COLUMN "previous_id" uuid;--> statement-breakpoint
ALTER TABLE "onboarding" ADD COLUMN "asked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "casework_content" ADD CONSTRAINT "casework_content_tenant_file_id_casework_file_tenant_id_fk" FOREIGN KEY ("tenant","file_id") REFERENCES "public"."casework_file"("tenant","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "casework_file" ADD CONSTRAINT "casework_file_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "casework_file" ADD CONSTRAINT "casework_file_removed_by_staff_id_fk" FOREIGN KEY ("removed_by") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "casework_note" ADD CONSTRAINT "casework_note_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_away" ADD CONSTRAINT "kyc_away_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "casework_file_of" ON "casework_file" USING btree ("tenant","object","created_at");--> statement-breakpoint
CREATE INDEX "casework_note_of" ON "casework_note" USING btree ("tenant","object","created_at");--> statement-breakpoint
ALTER TABLE "onboarding" ADD CONSTRAINT "onboarding_previous_id_onboarding_id_fk" FOREIGN KEY ("previous_id") REFERENCES "public"."onboarding"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "kyc_case_next" ON "kyc_case" USING btree ("tenant","due_at","seq") WHERE status = 'PENDING' and assignee_id is null;--> statement-breakpoint
CREATE INDEX "kyc_case_decided" ON "kyc_case" USING btree ("tenant","decided_at");--> statement-breakpoint
CREATE UNIQUE INDEX "onboarding_previous" ON "onboarding" USING btree ("previous_id");--> statement-breakpoint
CREATE INDEX "onboarding_account" ON "onboarding" USING btree ("tenant","account_id");--> statement-breakpoint
CREATE INDEX "onboarding_order" ON "onboarding" USING btree ("tenant","first_seen_at","seq");