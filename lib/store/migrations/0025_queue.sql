CREATE TABLE "saved_view" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"area" text NOT NULL,
	"name" text NOT NULL,
	"search" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "saved_view_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "saved_view_name" ON "saved_view" USING btree ("tenant","staff_id","area",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "saved_view_default" ON "saved_view" USING btree ("tenant","staff_id","area") WHERE is_default;--> statement-breakpoint
CREATE INDEX "kyc_case_changed" ON "kyc_case" USING btree ("tenant","changed_at","seq");--> statement-breakpoint
CREATE INDEX "kyc_case_clock" ON "kyc_case" USING btree ("tenant",coalesce(due_at, 'infinity'),"seq");--> statement-breakpoint
CREATE INDEX "kyc_case_waiting" ON "kyc_case" USING btree ("tenant",coalesce(waiting_since, 'infinity'),"seq");--> statement-breakpoint
CREATE INDEX "kyc_case_open" ON "kyc_case" USING btree ("tenant","seq") WHERE status not in ('APPROVED', 'REPROVED');--> statement-breakpoint
CREATE INDEX "kyc_case_open_changed" ON "kyc_case" USING btree ("tenant","changed_at","seq") WHERE status not in ('APPROVED', 'REPROVED');--> statement-breakpoint
CREATE INDEX "kyc_case_open_clock" ON "kyc_case" USING btree ("tenant",coalesce(due_at, 'infinity'),"seq") WHERE status not in ('APPROVED', 'REPROVED');--> statement-breakpoint
CREATE INDEX "kyc_case_open_waiting" ON "kyc_case" USING btree ("tenant",coalesce(waiting_since, 'infinity'),"seq") WHERE status not in ('APPROVED', 'REPROVED');--> statement-breakpoint
CREATE INDEX "kyc_case_prefix" ON "kyc_case" USING btree ("tenant","kyc_uuid" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "kyc_case_digits" ON "kyc_case" USING btree ("tenant",regexp_replace(vat_number, '[^0-9A-Za-z]', '', 'g') text_pattern_ops);