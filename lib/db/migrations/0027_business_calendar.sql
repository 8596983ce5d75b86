CREATE TABLE "business_calendar" (
	"tenant" text NOT NULL,
	"version" integer NOT NULL,
	"calendar" jsonb NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "business_calendar_tenant_version_pk" PRIMARY KEY("tenant","version")
);
--> statement-breakpoint
ALTER TABLE "kyc_case" ADD COLUMN "business_hours" integer;--> statement-breakpoint
ALTER TABLE "business_calendar" ADD CONSTRAINT "business_calendar_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;