CREATE TABLE "job" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "kyc_charge" (
	"kyc_uuid" uuid PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"kyc_type" text NOT NULL,
	"model" text NOT NULL,
	"charged_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "kyc_decision" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kyc_uuid" uuid NOT NULL,
	"decision" text NOT NULL,
	"reason" text NOT NULL,
	"decided_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "kyc_process" (
	"kyc_uuid" uuid PRIMARY KEY NOT NULL,
	"sequence" bigserial NOT NULL,
	"client_id" text NOT NULL,
	"kyc_type" text NOT NULL,
	"model" text NOT NULL,
	"documentscopy" boolean NOT NULL,
	"vat_number" text NOT NULL,
	"name" text NOT NULL,
	"birth_date" text,
	"mother_name" text,
	"members" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"process" text NOT NULL,
	"status" text NOT NULL,
	"webview_url" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "clock_offset" (
	"id" text PRIMARY KEY NOT NULL,
	"offset_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tenant_billing" (
	"client_id" text PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"instead_of" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "revoked_token" (
	"token_id" uuid PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"revoked_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signing_key" (
	"id" text PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_attempt" (
	"event_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"http_status" integer,
	"error" text,
	CONSTRAINT "webhook_attempt_number" UNIQUE("event_id","number")
);
--> statement-breakpoint
CREATE TABLE "webhook_event" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"event" text NOT NULL,
	"body" text NOT NULL,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"leased_until" timestamp with time zone,
	"lease_number" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "kyc_charge" ADD CONSTRAINT "kyc_charge_kyc_uuid_kyc_process_kyc_uuid_fk" FOREIGN KEY ("kyc_uuid") REFERENCES "public"."kyc_process"("kyc_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_decision" ADD CONSTRAINT "kyc_decision_kyc_uuid_kyc_process_kyc_uuid_fk" FOREIGN KEY ("kyc_uuid") REFERENCES "public"."kyc_process"("kyc_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempt" ADD CONSTRAINT "webhook_attempt_event_id_webhook_event_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."webhook_event"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "job_due" ON "job" USING btree ("due_at","id");--> statement-breakpoint
CREATE INDEX "job_subject" ON "job" USING btree ("kind","subject");--> statement-breakpoint
CREATE INDEX "kyc_process_newest" ON "kyc_process" USING btree ("client_id","created_at" DESC NULLS LAST,"sequence" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "webhook_event_due" ON "webhook_event" USING btree ("status","due_at");--> statement-breakpoint
CREATE INDEX "webhook_event_client" ON "webhook_event" USING btree ("client_id","created_at");