CREATE TABLE "kyc_record" (
	"tenant" text NOT NULL,
	"kyc_uuid" text NOT NULL,
	"process" text NOT NULL,
	"status" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"pass" integer NOT NULL,
	"page" integer,
	CONSTRAINT "kyc_record_tenant_kyc_uuid_process_pk" PRIMARY KEY("tenant","kyc_uuid","process")
);
--> statement-breakpoint
ALTER TABLE "kyc_case" ADD COLUMN "webviews" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "kyc_record" ADD CONSTRAINT "kyc_record_tenant_kyc_uuid_kyc_case_tenant_kyc_uuid_fk" FOREIGN KEY ("tenant","kyc_uuid") REFERENCES "public"."kyc_case"("tenant","kyc_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
UPDATE "kyc_case" SET "webviews" = jsonb_build_array(jsonb_build_object('vatNumber', null, 'url', "webview_url")) WHERE "webview_url" <> '';--> statement-breakpoint
-- What was kept of a case is what was said of one of its processes; the first pass through the list tells of the others.
INSERT INTO "kyc_record" ("tenant", "kyc_uuid", "process", "status", "changed_at", "pass")
  SELECT "tenant", "kyc_uuid", "process", "status", "changed_at", 0 FROM "kyc_case";--> statement-breakpoint
ALTER TABLE "kyc_case" DROP COLUMN "webview_url";
