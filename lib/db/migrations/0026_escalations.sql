CREATE TABLE "kyc_escalation" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"kyc_uuid" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"taken_by" uuid,
	"taken_at" timestamp with time zone,
	"answer_id" uuid,
	"ended_at" timestamp with time zone,
	"ending" text,
	CONSTRAINT "kyc_escalation_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
ALTER TABLE "kyc_case" ADD COLUMN "escalation_id" uuid;--> statement-breakpoint
ALTER TABLE "kyc_escalation" ADD CONSTRAINT "kyc_escalation_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_escalation" ADD CONSTRAINT "kyc_escalation_taken_by_staff_id_fk" FOREIGN KEY ("taken_by") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_escalation" ADD CONSTRAINT "kyc_escalation_tenant_kyc_uuid_kyc_case_tenant_kyc_uuid_fk" FOREIGN KEY ("tenant","kyc_uuid") REFERENCES "public"."kyc_case"("tenant","kyc_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "kyc_escalation_case" ON "kyc_escalation" USING btree ("tenant","kyc_uuid","created_at");--> statement-breakpoint
CREATE INDEX "kyc_case_escalated" ON "kyc_case" USING btree ("tenant","seq") WHERE escalation_id is not null;