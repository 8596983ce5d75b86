CREATE TABLE "kyc_webview" (
	"token" text PRIMARY KEY NOT NULL,
	"kyc_uuid" uuid NOT NULL,
	"position" integer NOT NULL,
	"vat_number" text NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "kyc_webview" ADD CONSTRAINT "kyc_webview_kyc_uuid_kyc_process_kyc_uuid_fk" FOREIGN KEY ("kyc_uuid") REFERENCES "public"."kyc_process"("kyc_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "kyc_webview_process" ON "kyc_webview" USING btree ("kyc_uuid","position");