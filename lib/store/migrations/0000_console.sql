CREATE TABLE "account" (
	"ref" uuid PRIMARY KEY NOT NULL,
	"tenant" text NOT NULL,
	"account_id" text NOT NULL,
	"branch" text NOT NULL,
	"number" text NOT NULL,
	"document_hash" text NOT NULL,
	"document_sealed" text NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_event" (
	"seq" bigserial PRIMARY KEY NOT NULL,
	"tenant" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"code" text NOT NULL,
	"outcome" text NOT NULL,
	"actor" text NOT NULL,
	"object" text,
	"intent_id" uuid,
	"detail" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "kyc_case" (
	"tenant" text NOT NULL,
	"kyc_uuid" text NOT NULL,
	"seq" bigserial NOT NULL,
	"vat_number" text NOT NULL,
	"kyc_type" text NOT NULL,
	"process" text NOT NULL,
	"status" text NOT NULL,
	"webview_url" text,
	"first_seen_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "kyc_case_tenant_kyc_uuid_pk" PRIMARY KEY("tenant","kyc_uuid")
);
--> statement-breakpoint
CREATE TABLE "kyc_decision" (
	"intent_id" uuid PRIMARY KEY NOT NULL,
	"tenant" text NOT NULL,
	"kyc_uuid" text NOT NULL,
	"decision" text NOT NULL,
	"reason" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "onboarding" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant" text NOT NULL,
	"seq" bigserial NOT NULL,
	"onboarding_id" text,
	"document_hash" text NOT NULL,
	"document_sealed" text NOT NULL,
	"status" text NOT NULL,
	"biometric_url" text,
	"messages" jsonb NOT NULL,
	"account_id" text,
	"first_seen_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"checked_at" timestamp with time zone NOT NULL,
	"next_check_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "staff" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"roles" text[] NOT NULL,
	"is_demo" boolean DEFAULT false NOT NULL,
	"disabled_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "staff_session" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "wallet" (
	"tenant" text NOT NULL,
	"id" text NOT NULL,
	"address" text NOT NULL,
	"family" text NOT NULL,
	"coin" text NOT NULL,
	"status" text NOT NULL,
	"is_forward_payment" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "wallet_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
CREATE TABLE "wallet_balance" (
	"tenant" text NOT NULL,
	"wallet_id" text NOT NULL,
	"network" text NOT NULL,
	"entries" jsonb NOT NULL,
	"as_of" timestamp with time zone,
	"tried_at" timestamp with time zone,
	CONSTRAINT "wallet_balance_tenant_wallet_id_network_pk" PRIMARY KEY("tenant","wallet_id","network")
);
--> statement-breakpoint
CREATE TABLE "watch_state" (
	"tenant" text NOT NULL,
	"name" text NOT NULL,
	"as_of" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"error_kind" text,
	CONSTRAINT "watch_state_tenant_name_pk" PRIMARY KEY("tenant","name")
);
--> statement-breakpoint
ALTER TABLE "kyc_decision" ADD CONSTRAINT "kyc_decision_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_session" ADD CONSTRAINT "staff_session_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "account_provider_id" ON "account" USING btree ("tenant","account_id");--> statement-breakpoint
CREATE INDEX "account_document" ON "account" USING btree ("tenant","document_hash");--> statement-breakpoint
CREATE INDEX "audit_event_object" ON "audit_event" USING btree ("tenant","object");--> statement-breakpoint
CREATE INDEX "audit_event_actor" ON "audit_event" USING btree ("tenant","actor","code","seq");--> statement-breakpoint
CREATE INDEX "kyc_case_queue" ON "kyc_case" USING btree ("tenant","status","seq");--> statement-breakpoint
CREATE INDEX "kyc_case_order" ON "kyc_case" USING btree ("tenant","seq");--> statement-breakpoint
CREATE INDEX "kyc_decision_case" ON "kyc_decision" USING btree ("tenant","kyc_uuid","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "kyc_decision_in_flight" ON "kyc_decision" USING btree ("tenant","kyc_uuid") WHERE state = 'SENDING';--> statement-breakpoint
CREATE UNIQUE INDEX "onboarding_provider_id" ON "onboarding" USING btree ("tenant","onboarding_id");--> statement-breakpoint
CREATE INDEX "onboarding_document" ON "onboarding" USING btree ("tenant","document_hash");--> statement-breakpoint
CREATE INDEX "onboarding_queue" ON "onboarding" USING btree ("tenant","status","seq");--> statement-breakpoint
CREATE INDEX "onboarding_due" ON "onboarding" USING btree ("tenant","next_check_at");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_email" ON "staff" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "wallet_family" ON "wallet" USING btree ("tenant","family","created_at");