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
ALTER TABLE "suspicion" ADD CONSTRAINT "suspicion_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suspicion_step" ADD CONSTRAINT "suspicion_step_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suspicion_step" ADD CONSTRAINT "suspicion_step_tenant_suspicion_id_suspicion_tenant_id_fk" FOREIGN KEY ("tenant","suspicion_id") REFERENCES "public"."suspicion"("tenant","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "suspicion_state" ON "suspicion" USING btree ("tenant","state","changed_at");--> statement-breakpoint
CREATE UNIQUE INDEX "suspicion_open" ON "suspicion" USING btree ("tenant","kyc_uuid") WHERE state in ('suspected', 'analysing', 'to-report');--> statement-breakpoint
CREATE INDEX "suspicion_case" ON "suspicion" USING btree ("tenant","kyc_uuid","created_at");--> statement-breakpoint
CREATE INDEX "suspicion_step_of" ON "suspicion_step" USING btree ("tenant","suspicion_id","seq");