CREATE TABLE "account_closure" (
	"tenant" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"account_ref" uuid NOT NULL,
	"reason_sealed" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"seen_open_at" timestamp with time zone,
	"looked_at" timestamp with time zone,
	CONSTRAINT "account_closure_tenant_intent_id_pk" PRIMARY KEY("tenant","intent_id")
);--> statement-breakpoint
CREATE TABLE "approval" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"permission" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"object" text NOT NULL,
	"is_exclusive" boolean NOT NULL,
	"body_hash" text NOT NULL,
	"frozen_sealed" text NOT NULL,
	"policy_version" integer NOT NULL,
	"maker_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"state" text NOT NULL,
	"decider_id" uuid,
	"decided_at" timestamp with time zone,
	"decision_sealed" text,
	"owner" uuid,
	"executing_until" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"code" text,
	"maker_saw_at" timestamp with time zone,
	CONSTRAINT "approval_tenant_id_pk" PRIMARY KEY("tenant","id"),
	CONSTRAINT "approval_never_ones_own" CHECK ("approval"."decider_id" <> "approval"."maker_id")
);--> statement-breakpoint
CREATE TABLE "approval_comment" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"approval_id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"text_sealed" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "approval_comment_tenant_id_pk" PRIMARY KEY("tenant","id")
);--> statement-breakpoint
CREATE TABLE "approval_policy" (
	"tenant" text NOT NULL,
	"kind" text NOT NULL,
	"version" integer NOT NULL,
	"rule" text NOT NULL,
	"amount" text,
	"expires_after_hours" integer NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "approval_policy_tenant_kind_version_pk" PRIMARY KEY("tenant","kind","version")
);--> statement-breakpoint
CREATE TABLE "audit_head" (
	"tenant" text PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"hash" text NOT NULL
) WITH (fillfactor = 10);--> statement-breakpoint
CREATE TABLE "passkey_challenge" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"challenge" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "password_link" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"tenant" text NOT NULL,
	"issued_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone
);--> statement-breakpoint
CREATE TABLE "sign_in_step" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"how" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);--> statement-breakpoint
CREATE TABLE "sign_in_try" (
	"key" text PRIMARY KEY NOT NULL,
	"tries" integer NOT NULL,
	"tried_at" timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "staff_address" (
	"staff_id" uuid NOT NULL,
	"address_hash" text NOT NULL,
	"seen_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "staff_address_staff_id_address_hash_pk" PRIMARY KEY("staff_id","address_hash")
);--> statement-breakpoint
CREATE TABLE "staff_identity" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"linked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "staff_identity_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);--> statement-breakpoint
CREATE TABLE "staff_invitation" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant" text NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"roles" text[] NOT NULL,
	"token_hash" text NOT NULL,
	"invited_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	"revoked_at" timestamp with time zone
);--> statement-breakpoint
CREATE TABLE "staff_membership" (
	"staff_id" uuid NOT NULL,
	"tenant" text NOT NULL,
	"roles" text[] NOT NULL,
	"disabled_at" timestamp with time zone,
	"joined_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "staff_membership_staff_id_tenant_pk" PRIMARY KEY("staff_id","tenant")
);--> statement-breakpoint
CREATE TABLE "staff_passkey" (
	"staff_id" uuid NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"public_key_sealed" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "staff_passkey_staff_id_id_pk" PRIMARY KEY("staff_id","id")
);--> statement-breakpoint
CREATE TABLE "staff_recovery_code" (
	"staff_id" uuid NOT NULL,
	"code_hash" text NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "staff_recovery_code_staff_id_code_hash_pk" PRIMARY KEY("staff_id","code_hash")
);--> statement-breakpoint
CREATE TABLE "staff_session" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"ref" uuid DEFAULT gen_random_uuid() NOT NULL,
	"staff_id" uuid NOT NULL,
	"tenant" text NOT NULL,
	"how" text DEFAULT 'password' NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"proven_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"second_factor" boolean DEFAULT false NOT NULL,
	"browser" text,
	"system" text,
	"masked_address" text,
	"ended_at" timestamp with time zone,
	"end_reason" text,
	"ended_by" text
);--> statement-breakpoint
CREATE TABLE "staff_totp" (
	"staff_id" uuid PRIMARY KEY NOT NULL,
	"secret_sealed" text,
	"confirmed_at" timestamp with time zone,
	"candidate_sealed" text,
	"candidate_at" timestamp with time zone,
	"last_step" bigint DEFAULT 0 NOT NULL
);--> statement-breakpoint
CREATE TABLE "bank_budget" (
	"origin" text PRIMARY KEY NOT NULL,
	"second" bigint NOT NULL,
	"money" integer[] NOT NULL,
	"people" integer[] NOT NULL,
	"watchers" integer[] NOT NULL,
	"refused" integer[] NOT NULL,
	"lowered_to" integer,
	"paused_until" timestamp with time zone,
	"money_waits_until" timestamp with time zone,
	"people_wait_until" timestamp with time zone
);--> statement-breakpoint
CREATE TABLE "bank_call" (
	"seq" bigserial PRIMARY KEY NOT NULL,
	"tenant" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"request_id" text NOT NULL,
	"provider_request_id" text,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status" integer,
	"kind" text NOT NULL,
	"code" text,
	"duration_ms" integer NOT NULL,
	"waited_ms" integer NOT NULL,
	"lane" text NOT NULL,
	"attempt" integer NOT NULL,
	"actor" text NOT NULL,
	"object" text
);--> statement-breakpoint
CREATE TABLE "bank_intent" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"operation" text NOT NULL,
	"object" text NOT NULL,
	"is_exclusive" boolean NOT NULL,
	"actor" text NOT NULL,
	"body_hash" text NOT NULL,
	"body_sealed" text,
	"key" uuid NOT NULL,
	"state" text NOT NULL,
	"attempts" integer NOT NULL,
	"may_have_executed" boolean NOT NULL,
	"owner" uuid NOT NULL,
	"sending_until" timestamp with time zone NOT NULL,
	"next_try_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"first_sent_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"status" integer,
	"request_id" text,
	"answer_hash" text,
	"code" text,
	"antifraud_id" text,
	"pending_expires_at" timestamp with time zone,
	"ended_by" text,
	"contradicted_at" timestamp with time zone,
	"kept_sealed" text,
	CONSTRAINT "bank_intent_tenant_id_pk" PRIMARY KEY("tenant","id")
);--> statement-breakpoint
CREATE TABLE "bank_token" (
	"tenant" text NOT NULL,
	"base_url" text NOT NULL,
	"generation" integer NOT NULL,
	"token" text,
	"issued_at" timestamp with time zone,
	"renew_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"is_replacement" boolean DEFAULT false NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"failure_kind" text,
	"failure_code" text,
	"failed_with" text,
	"retry_at" timestamp with time zone,
	CONSTRAINT "bank_token_tenant_base_url_pk" PRIMARY KEY("tenant","base_url")
);--> statement-breakpoint
CREATE TABLE "casework_content" (
	"tenant" text NOT NULL,
	"file_id" uuid NOT NULL,
	"key_sealed" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "casework_content_tenant_file_id_pk" PRIMARY KEY("tenant","file_id")
);--> statement-breakpoint
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
);--> statement-breakpoint
CREATE TABLE "casework_note" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"object" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"text_sealed" text,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"retracted_at" timestamp with time zone,
	CONSTRAINT "casework_note_tenant_id_pk" PRIMARY KEY("tenant","id")
);--> statement-breakpoint
CREATE TABLE "dossier" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"object" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"opening" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"frozen_hash" text NOT NULL,
	"frozen_sealed" text,
	"recheck_sealed" text,
	"sealed_at" timestamp with time zone,
	"end_state" text,
	"file_sealed" text,
	"sha256" text,
	"signed_by" text,
	CONSTRAINT "dossier_tenant_id_pk" PRIMARY KEY("tenant","id")
);--> statement-breakpoint
CREATE TABLE "kyc_away" (
	"tenant" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"until" timestamp with time zone NOT NULL,
	CONSTRAINT "kyc_away_tenant_staff_id_pk" PRIMARY KEY("tenant","staff_id")
);--> statement-breakpoint
CREATE TABLE "kyc_case_count" (
	"tenant" text NOT NULL,
	"id" bigserial NOT NULL,
	"status" text NOT NULL,
	"kyc_type" text NOT NULL,
	"process" text NOT NULL,
	"assignee_id" uuid,
	"cases" integer NOT NULL,
	CONSTRAINT "kyc_case_count_tenant_id_pk" PRIMARY KEY("tenant","id")
);--> statement-breakpoint
CREATE TABLE "kyc_case_rules" (
	"tenant" text NOT NULL,
	"version" integer NOT NULL,
	"rules" jsonb NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "kyc_case_rules_tenant_version_pk" PRIMARY KEY("tenant","version")
);--> statement-breakpoint
CREATE TABLE "kyc_decision" (
	"tenant" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"kyc_uuid" text NOT NULL,
	"decision" text NOT NULL,
	"reason" text NOT NULL,
	"reason_code" text,
	"rules_version" integer,
	"note_sealed" text,
	"checklist" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "kyc_decision_tenant_intent_id_pk" PRIMARY KEY("tenant","intent_id")
);--> statement-breakpoint
CREATE TABLE "kyc_event" (
	"tenant" text NOT NULL,
	"id" bigserial NOT NULL,
	"kyc_uuid" text NOT NULL,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"kind" text NOT NULL,
	"actor" uuid,
	"detail" jsonb NOT NULL,
	CONSTRAINT "kyc_event_tenant_id_pk" PRIMARY KEY("tenant","id")
);--> statement-breakpoint
CREATE TABLE "kyc_record" (
	"tenant" text NOT NULL,
	"kyc_uuid" text NOT NULL,
	"process" text NOT NULL,
	"status" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"pass" integer NOT NULL,
	"page" integer,
	CONSTRAINT "kyc_record_tenant_kyc_uuid_process_pk" PRIMARY KEY("tenant","kyc_uuid","process")
);--> statement-breakpoint
CREATE TABLE "kyc_start" (
	"tenant" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"kyc_type" text NOT NULL,
	"model" text NOT NULL,
	"documentscopy" boolean NOT NULL,
	"document_hash" text NOT NULL,
	"document_sealed" text NOT NULL,
	"subject_sealed" text NOT NULL,
	"is_repeat" boolean NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"kyc_uuid" text,
	"waived_by" uuid,
	"waived_at" timestamp with time zone,
	CONSTRAINT "kyc_start_tenant_intent_id_pk" PRIMARY KEY("tenant","intent_id")
);--> statement-breakpoint
CREATE TABLE "kyc_start_member" (
	"tenant" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"owner_type" text NOT NULL,
	"document_hash" text NOT NULL,
	"document_sealed" text NOT NULL,
	"subject_sealed" text NOT NULL,
	CONSTRAINT "kyc_start_member_tenant_intent_id_position_pk" PRIMARY KEY("tenant","intent_id","position")
);--> statement-breakpoint
CREATE TABLE "live_event" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"tenant" text NOT NULL,
	"topic" text NOT NULL,
	"object" text,
	"as_of" timestamp with time zone,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);--> statement-breakpoint
CREATE TABLE "onboarding_event" (
	"tenant" text NOT NULL,
	"id" bigserial NOT NULL,
	"onboarding_ref" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"kind" text NOT NULL,
	"actor" uuid,
	"detail" jsonb NOT NULL,
	CONSTRAINT "onboarding_event_tenant_id_pk" PRIMARY KEY("tenant","id")
);--> statement-breakpoint
CREATE TABLE "onboarding_link" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant" text NOT NULL,
	"onboarding_ref" uuid NOT NULL,
	"host" text NOT NULL,
	"appeared_at" timestamp with time zone NOT NULL,
	"gone_at" timestamp with time zone
);--> statement-breakpoint
CREATE TABLE "onboarding_reading" (
	"tenant" text NOT NULL,
	"onboarding_ref" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"previous_at" timestamp with time zone,
	CONSTRAINT "onboarding_reading_tenant_onboarding_ref_staff_id_pk" PRIMARY KEY("tenant","onboarding_ref","staff_id")
);--> statement-breakpoint
CREATE TABLE "onboarding_request" (
	"tenant" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"document_hash" text NOT NULL,
	"document_sealed" text NOT NULL,
	"form_sealed" text NOT NULL,
	"is_repeat" boolean NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"previous_ref" uuid,
	"after_seq" bigint,
	"onboarding_ref" uuid,
	"looked_at" timestamp with time zone,
	"waived_by" uuid,
	"waived_at" timestamp with time zone,
	CONSTRAINT "onboarding_request_tenant_intent_id_pk" PRIMARY KEY("tenant","intent_id")
);--> statement-breakpoint
CREATE TABLE "outcome_conclusion" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"intent_id" uuid NOT NULL,
	"outcome" text NOT NULL,
	"source" text NOT NULL,
	"reference" text NOT NULL,
	"reason_sealed" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "outcome_conclusion_tenant_id_pk" PRIMARY KEY("tenant","id")
);--> statement-breakpoint
CREATE TABLE "outcome_exclusion" (
	"tenant" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"candidate" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "outcome_exclusion_tenant_intent_id_candidate_pk" PRIMARY KEY("tenant","intent_id","candidate")
);--> statement-breakpoint
CREATE TABLE "draft" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"form" text NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"fields_sealed" text,
	"saved_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "draft_tenant_id_pk" PRIMARY KEY("tenant","id")
);--> statement-breakpoint
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
);--> statement-breakpoint
CREATE TABLE "customer_look" (
	"tenant" text NOT NULL,
	"actor" text NOT NULL,
	"object" text NOT NULL,
	"recorded_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "customer_look_tenant_actor_object_pk" PRIMARY KEY("tenant","actor","object")
);--> statement-breakpoint
CREATE TABLE "reveal" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant" text NOT NULL,
	"actor" text NOT NULL,
	"object" text NOT NULL,
	"reason" text NOT NULL,
	"note_sealed" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "account" (
	"ref" uuid PRIMARY KEY NOT NULL,
	"tenant" text NOT NULL,
	"account_id" text NOT NULL,
	"branch" text NOT NULL,
	"number" text NOT NULL,
	"document_hash" text NOT NULL,
	"document_sealed" text NOT NULL,
	"document_mask" text,
	"first_seen_at" timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "audit_event" (
	"seq" bigint DEFAULT 0 NOT NULL,
	"tenant" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"code" text NOT NULL,
	"outcome" text NOT NULL,
	"actor" text NOT NULL,
	"object" text,
	"intent_id" uuid,
	"detail" jsonb NOT NULL,
	"hash" text DEFAULT '' NOT NULL,
	CONSTRAINT "audit_event_tenant_seq_pk" PRIMARY KEY("tenant","seq")
);--> statement-breakpoint
CREATE TABLE "kyc_case" (
	"tenant" text NOT NULL,
	"kyc_uuid" text NOT NULL,
	"seq" bigserial NOT NULL,
	"vat_number" text NOT NULL,
	"kyc_type" text NOT NULL,
	"process" text NOT NULL,
	"status" text NOT NULL,
	"webviews" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"assignee_id" uuid,
	"assigned_at" timestamp with time zone,
	"waiting_since" timestamp with time zone,
	"due_at" timestamp with time zone,
	"decided_at" timestamp with time zone,
	"tags" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "kyc_case_tenant_kyc_uuid_pk" PRIMARY KEY("tenant","kyc_uuid")
);--> statement-breakpoint
CREATE TABLE "onboarding" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant" text NOT NULL,
	"seq" bigserial NOT NULL,
	"onboarding_id" text,
	"document_hash" text NOT NULL,
	"document_sealed" text NOT NULL,
	"document_mask" text,
	"status" text NOT NULL,
	"biometric_url" text,
	"messages" jsonb NOT NULL,
	"account_id" text,
	"first_seen_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"checked_at" timestamp with time zone NOT NULL,
	"next_check_at" timestamp with time zone,
	"trace_id" text,
	"kind" text GENERATED ALWAYS AS (case when length(substring(document_sealed from '[^.]*$')) <= 52 then 'PF' else 'PJ' end) STORED NOT NULL,
	"stage" text DEFAULT 'background-check' NOT NULL,
	"who_acts" text DEFAULT 'provider' NOT NULL,
	"returns" integer DEFAULT 0 NOT NULL,
	"previous_id" uuid,
	"asked_at" timestamp with time zone
);--> statement-breakpoint
CREATE TABLE "staff" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text,
	"is_demo" boolean DEFAULT false NOT NULL,
	"is_break_glass" boolean DEFAULT false NOT NULL,
	"disabled_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "watch_state" (
	"tenant" text NOT NULL,
	"name" text NOT NULL,
	"begun_at" timestamp with time zone,
	"memory" jsonb,
	"as_of" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"error_kind" text,
	"error_code" text,
	CONSTRAINT "watch_state_tenant_name_pk" PRIMARY KEY("tenant","name")
);--> statement-breakpoint
CREATE TABLE "transfer" (
	"tenant" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"account_id" text NOT NULL,
	"amount" text NOT NULL,
	"likeness" text NOT NULL,
	"is_repeat" boolean NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"transaction_id" text,
	CONSTRAINT "transfer_tenant_intent_id_pk" PRIMARY KEY("tenant","intent_id")
);--> statement-breakpoint
CREATE TABLE "wallet" (
	"tenant" text NOT NULL,
	"id" text NOT NULL,
	"address" text NOT NULL,
	"family" text NOT NULL,
	"coin" text NOT NULL,
	"status" text NOT NULL,
	"is_forward_payment" boolean,
	"created_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "wallet_tenant_id_pk" PRIMARY KEY("tenant","id")
);--> statement-breakpoint
CREATE TABLE "wallet_balance" (
	"tenant" text NOT NULL,
	"wallet_id" text NOT NULL,
	"network" text NOT NULL,
	"entries" jsonb NOT NULL,
	"as_of" timestamp with time zone,
	"tried_at" timestamp with time zone,
	CONSTRAINT "wallet_balance_tenant_wallet_id_network_pk" PRIMARY KEY("tenant","wallet_id","network")
);--> statement-breakpoint
CREATE TABLE "webhook_event" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"seq" bigserial NOT NULL,
	"event" text NOT NULL,
	"event_id" text,
	"body_hash" text NOT NULL,
	"body_sealed" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"is_by_previous_secret" boolean NOT NULL,
	"received_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"last_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"arrivals" integer DEFAULT 1 NOT NULL,
	"other_ids" integer DEFAULT 0 NOT NULL,
	"other_bodies" integer DEFAULT 0 NOT NULL,
	"state" text NOT NULL,
	"wakes" text,
	"hint_key" text,
	"object" text,
	"next_try_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"done_at" timestamp with time zone,
	"failure" text,
	CONSTRAINT "webhook_event_tenant_id_pk" PRIMARY KEY("tenant","id")
);--> statement-breakpoint
CREATE TABLE "lease" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" uuid NOT NULL,
	"until" timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "data_key_canary" (
	"id" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL
);--> statement-breakpoint
ALTER TABLE "account_closure" ADD CONSTRAINT "account_closure_account_ref_account_ref_fk" FOREIGN KEY ("account_ref") REFERENCES "public"."account"("ref") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_closure" ADD CONSTRAINT "account_closure_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_closure" ADD CONSTRAINT "account_closure_tenant_intent_id_bank_intent_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."bank_intent"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval" ADD CONSTRAINT "approval_maker_id_staff_id_fk" FOREIGN KEY ("maker_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval" ADD CONSTRAINT "approval_decider_id_staff_id_fk" FOREIGN KEY ("decider_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_comment" ADD CONSTRAINT "approval_comment_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_comment" ADD CONSTRAINT "approval_comment_tenant_approval_id_approval_tenant_id_fk" FOREIGN KEY ("tenant","approval_id") REFERENCES "public"."approval"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_policy" ADD CONSTRAINT "approval_policy_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_link" ADD CONSTRAINT "password_link_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_step" ADD CONSTRAINT "sign_in_step_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_address" ADD CONSTRAINT "staff_address_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_identity" ADD CONSTRAINT "staff_identity_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_membership" ADD CONSTRAINT "staff_membership_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_passkey" ADD CONSTRAINT "staff_passkey_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_recovery_code" ADD CONSTRAINT "staff_recovery_code_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_session" ADD CONSTRAINT "staff_session_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_totp" ADD CONSTRAINT "staff_totp_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "casework_content" ADD CONSTRAINT "casework_content_tenant_file_id_casework_file_tenant_id_fk" FOREIGN KEY ("tenant","file_id") REFERENCES "public"."casework_file"("tenant","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "casework_file" ADD CONSTRAINT "casework_file_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "casework_file" ADD CONSTRAINT "casework_file_removed_by_staff_id_fk" FOREIGN KEY ("removed_by") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "casework_note" ADD CONSTRAINT "casework_note_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier" ADD CONSTRAINT "dossier_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier" ADD CONSTRAINT "dossier_tenant_intent_id_bank_intent_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."bank_intent"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_away" ADD CONSTRAINT "kyc_away_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_case_rules" ADD CONSTRAINT "kyc_case_rules_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_decision" ADD CONSTRAINT "kyc_decision_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_decision" ADD CONSTRAINT "kyc_decision_tenant_intent_id_bank_intent_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."bank_intent"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_event" ADD CONSTRAINT "kyc_event_actor_staff_id_fk" FOREIGN KEY ("actor") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_record" ADD CONSTRAINT "kyc_record_tenant_kyc_uuid_kyc_case_tenant_kyc_uuid_fk" FOREIGN KEY ("tenant","kyc_uuid") REFERENCES "public"."kyc_case"("tenant","kyc_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_start" ADD CONSTRAINT "kyc_start_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_start" ADD CONSTRAINT "kyc_start_waived_by_staff_id_fk" FOREIGN KEY ("waived_by") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_start" ADD CONSTRAINT "kyc_start_tenant_intent_id_bank_intent_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."bank_intent"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_start_member" ADD CONSTRAINT "kyc_start_member_tenant_intent_id_kyc_start_tenant_intent_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."kyc_start"("tenant","intent_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_event" ADD CONSTRAINT "onboarding_event_onboarding_ref_onboarding_id_fk" FOREIGN KEY ("onboarding_ref") REFERENCES "public"."onboarding"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_event" ADD CONSTRAINT "onboarding_event_actor_staff_id_fk" FOREIGN KEY ("actor") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_link" ADD CONSTRAINT "onboarding_link_onboarding_ref_onboarding_id_fk" FOREIGN KEY ("onboarding_ref") REFERENCES "public"."onboarding"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_reading" ADD CONSTRAINT "onboarding_reading_onboarding_ref_onboarding_id_fk" FOREIGN KEY ("onboarding_ref") REFERENCES "public"."onboarding"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_reading" ADD CONSTRAINT "onboarding_reading_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_request" ADD CONSTRAINT "onboarding_request_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_request" ADD CONSTRAINT "onboarding_request_previous_ref_onboarding_id_fk" FOREIGN KEY ("previous_ref") REFERENCES "public"."onboarding"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_request" ADD CONSTRAINT "onboarding_request_onboarding_ref_onboarding_id_fk" FOREIGN KEY ("onboarding_ref") REFERENCES "public"."onboarding"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_request" ADD CONSTRAINT "onboarding_request_waived_by_staff_id_fk" FOREIGN KEY ("waived_by") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_request" ADD CONSTRAINT "onboarding_request_tenant_intent_id_bank_intent_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."bank_intent"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcome_conclusion" ADD CONSTRAINT "outcome_conclusion_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcome_conclusion" ADD CONSTRAINT "outcome_conclusion_tenant_intent_id_bank_intent_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."bank_intent"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcome_exclusion" ADD CONSTRAINT "outcome_exclusion_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcome_exclusion" ADD CONSTRAINT "outcome_exclusion_tenant_intent_id_bank_intent_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."bank_intent"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draft" ADD CONSTRAINT "draft_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_case" ADD CONSTRAINT "kyc_case_assignee_id_staff_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding" ADD CONSTRAINT "onboarding_previous_id_onboarding_id_fk" FOREIGN KEY ("previous_id") REFERENCES "public"."onboarding"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer" ADD CONSTRAINT "transfer_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer" ADD CONSTRAINT "transfer_tenant_intent_id_bank_intent_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."bank_intent"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_closure_account" ON "account_closure" USING btree ("tenant","account_ref","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "approval_intent" ON "approval" USING btree ("tenant","intent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "approval_open" ON "approval" USING btree ("tenant","kind","object") WHERE state in ('PENDING', 'READY', 'AUTHORISED') and is_exclusive;--> statement-breakpoint
CREATE INDEX "approval_state" ON "approval" USING btree ("tenant","state","created_at");--> statement-breakpoint
CREATE INDEX "approval_maker" ON "approval" USING btree ("tenant","maker_id","created_at");--> statement-breakpoint
CREATE INDEX "approval_object" ON "approval" USING btree ("tenant","object","created_at");--> statement-breakpoint
CREATE INDEX "approval_comment_of" ON "approval_comment" USING btree ("tenant","approval_id","created_at");--> statement-breakpoint
CREATE INDEX "password_link_person" ON "password_link" USING btree ("staff_id");--> statement-breakpoint
CREATE INDEX "sign_in_try_at" ON "sign_in_try" USING btree ("tried_at");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_invitation_token" ON "staff_invitation" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_invitation_open" ON "staff_invitation" USING btree ("tenant",lower("email")) WHERE "staff_invitation"."accepted_at" is null and "staff_invitation"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "staff_invitation_tenant" ON "staff_invitation" USING btree ("tenant","created_at");--> statement-breakpoint
CREATE INDEX "staff_membership_tenant" ON "staff_membership" USING btree ("tenant");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_passkey_id" ON "staff_passkey" USING btree ("id");--> statement-breakpoint
CREATE INDEX "staff_session_person" ON "staff_session" USING btree ("staff_id","created_at");--> statement-breakpoint
CREATE INDEX "bank_call_newest" ON "bank_call" USING btree ("tenant","at","seq");--> statement-breakpoint
CREATE INDEX "bank_call_path" ON "bank_call" USING btree ("tenant","path","at","seq");--> statement-breakpoint
CREATE INDEX "bank_call_actor" ON "bank_call" USING btree ("tenant","actor","at","seq");--> statement-breakpoint
CREATE INDEX "bank_call_request" ON "bank_call" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "bank_call_object" ON "bank_call" USING btree ("tenant","object","at","seq") WHERE object is not null;--> statement-breakpoint
CREATE INDEX "bank_call_failed" ON "bank_call" USING btree ("tenant","at","seq") WHERE kind <> 'ok';--> statement-breakpoint
CREATE INDEX "bank_call_kind" ON "bank_call" USING btree ("tenant","kind","at","seq") WHERE kind <> 'ok';--> statement-breakpoint
CREATE INDEX "bank_call_slow" ON "bank_call" USING btree ("tenant","at","seq") WHERE duration_ms >= 1000;--> statement-breakpoint
CREATE INDEX "bank_call_money" ON "bank_call" USING btree ("tenant","at","seq") WHERE lane = 'money';--> statement-breakpoint
CREATE UNIQUE INDEX "bank_intent_in_flight" ON "bank_intent" USING btree ("tenant","operation","object") WHERE state = 'SENDING' and is_exclusive;--> statement-breakpoint
CREATE INDEX "bank_intent_undecided" ON "bank_intent" USING btree ("tenant","operation") WHERE state in ('SENDING', 'UNKNOWN');--> statement-breakpoint
CREATE INDEX "bank_intent_unresolved" ON "bank_intent" USING btree ("tenant","created_at") WHERE state in ('UNKNOWN', 'HELD') or contradicted_at is not null;--> statement-breakpoint
CREATE INDEX "bank_intent_object" ON "bank_intent" USING btree ("tenant","object","created_at");--> statement-breakpoint
CREATE INDEX "casework_file_of" ON "casework_file" USING btree ("tenant","object","created_at");--> statement-breakpoint
CREATE INDEX "casework_note_of" ON "casework_note" USING btree ("tenant","object","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "dossier_opening" ON "dossier" USING btree ("tenant","intent_id","opening");--> statement-breakpoint
CREATE INDEX "dossier_object" ON "dossier" USING btree ("tenant","object","created_at");--> statement-breakpoint
CREATE INDEX "kyc_decision_case" ON "kyc_decision" USING btree ("tenant","kyc_uuid","created_at");--> statement-breakpoint
CREATE INDEX "kyc_event_case" ON "kyc_event" USING btree ("tenant","kyc_uuid","id");--> statement-breakpoint
CREATE INDEX "kyc_event_kind" ON "kyc_event" USING btree ("tenant","kind","at");--> statement-breakpoint
CREATE UNIQUE INDEX "kyc_start_case" ON "kyc_start" USING btree ("tenant","kyc_uuid");--> statement-breakpoint
CREATE INDEX "kyc_start_document" ON "kyc_start" USING btree ("tenant","document_hash","created_at");--> statement-breakpoint
CREATE INDEX "kyc_start_open" ON "kyc_start" USING btree ("tenant","created_at") WHERE kyc_uuid is null;--> statement-breakpoint
CREATE INDEX "kyc_start_member_document" ON "kyc_start_member" USING btree ("tenant","document_hash");--> statement-breakpoint
CREATE INDEX "live_event_at" ON "live_event" USING btree ("at");--> statement-breakpoint
CREATE INDEX "onboarding_event_one" ON "onboarding_event" USING btree ("tenant","onboarding_ref","id");--> statement-breakpoint
CREATE INDEX "onboarding_link_one" ON "onboarding_link" USING btree ("tenant","onboarding_ref","appeared_at");--> statement-breakpoint
CREATE UNIQUE INDEX "onboarding_request_onboarding" ON "onboarding_request" USING btree ("onboarding_ref");--> statement-breakpoint
CREATE INDEX "onboarding_request_document" ON "onboarding_request" USING btree ("tenant","document_hash","created_at");--> statement-breakpoint
CREATE INDEX "onboarding_request_open" ON "onboarding_request" USING btree ("tenant","created_at") WHERE onboarding_ref is null;--> statement-breakpoint
CREATE INDEX "outcome_conclusion_intent" ON "outcome_conclusion" USING btree ("tenant","intent_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "draft_owner" ON "draft" USING btree ("tenant","staff_id","form");--> statement-breakpoint
CREATE UNIQUE INDEX "saved_view_name" ON "saved_view" USING btree ("tenant","staff_id","area",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "saved_view_default" ON "saved_view" USING btree ("tenant","staff_id","area") WHERE is_default;--> statement-breakpoint
CREATE INDEX "reveal_actor" ON "reveal" USING btree ("tenant","actor","created_at");--> statement-breakpoint
CREATE INDEX "reveal_object" ON "reveal" USING btree ("tenant","object","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "account_provider_id" ON "account" USING btree ("tenant","account_id");--> statement-breakpoint
CREATE INDEX "account_document" ON "account" USING btree ("tenant","document_hash");--> statement-breakpoint
CREATE INDEX "account_mask" ON "account" USING btree ("tenant","document_mask");--> statement-breakpoint
CREATE INDEX "audit_event_at" ON "audit_event" USING btree ("tenant","at");--> statement-breakpoint
CREATE INDEX "audit_event_object" ON "audit_event" USING btree ("tenant","object","seq");--> statement-breakpoint
CREATE INDEX "audit_event_actor" ON "audit_event" USING btree ("tenant","actor","code","seq");--> statement-breakpoint
CREATE INDEX "audit_event_person" ON "audit_event" USING btree ("tenant","actor","seq");--> statement-breakpoint
CREATE INDEX "audit_event_code" ON "audit_event" USING btree ("tenant","code","seq");--> statement-breakpoint
CREATE INDEX "audit_event_outcome" ON "audit_event" USING btree ("tenant","outcome","seq");--> statement-breakpoint
CREATE INDEX "audit_event_intent" ON "audit_event" USING btree ("tenant","intent_id");--> statement-breakpoint
CREATE INDEX "kyc_case_queue" ON "kyc_case" USING btree ("tenant","status","seq");--> statement-breakpoint
CREATE INDEX "kyc_case_order" ON "kyc_case" USING btree ("tenant","seq");--> statement-breakpoint
CREATE INDEX "kyc_case_assignee" ON "kyc_case" USING btree ("tenant","assignee_id","status","seq");--> statement-breakpoint
CREATE INDEX "kyc_case_next" ON "kyc_case" USING btree ("tenant","due_at","seq") WHERE status = 'PENDING' and assignee_id is null;--> statement-breakpoint
CREATE INDEX "kyc_case_decided" ON "kyc_case" USING btree ("tenant","decided_at","waiting_since","due_at");--> statement-breakpoint
CREATE INDEX "kyc_case_document" ON "kyc_case" USING btree ("tenant","vat_number");--> statement-breakpoint
CREATE INDEX "kyc_case_tags" ON "kyc_case" USING gin ("tags");--> statement-breakpoint
CREATE INDEX "kyc_case_changed" ON "kyc_case" USING btree ("tenant","changed_at","seq");--> statement-breakpoint
CREATE INDEX "kyc_case_clock" ON "kyc_case" USING btree ("tenant",(case when status in ('APPROVED', 'REPROVED') then 'infinity' else coalesce(due_at, '9999-12-31 00:00:00+00') end),"seq");--> statement-breakpoint
CREATE INDEX "kyc_case_waiting" ON "kyc_case" USING btree ("tenant",coalesce(waiting_since, 'infinity'),"seq");--> statement-breakpoint
CREATE INDEX "kyc_case_open" ON "kyc_case" USING btree ("tenant","seq") WHERE status not in ('APPROVED', 'REPROVED');--> statement-breakpoint
CREATE INDEX "kyc_case_open_assignee" ON "kyc_case" USING btree ("tenant","assignee_id","seq") WHERE status not in ('APPROVED', 'REPROVED');--> statement-breakpoint
CREATE INDEX "kyc_case_open_changed" ON "kyc_case" USING btree ("tenant","changed_at","seq") WHERE status not in ('APPROVED', 'REPROVED');--> statement-breakpoint
CREATE INDEX "kyc_case_open_clock" ON "kyc_case" USING btree ("tenant",coalesce(due_at, 'infinity'),"seq","due_at","assignee_id","first_seen_at") WHERE status not in ('APPROVED', 'REPROVED');--> statement-breakpoint
CREATE INDEX "kyc_case_open_waiting" ON "kyc_case" USING btree ("tenant",coalesce(waiting_since, 'infinity'),"seq") WHERE status not in ('APPROVED', 'REPROVED');--> statement-breakpoint
CREATE INDEX "kyc_case_prefix" ON "kyc_case" USING btree ("tenant","kyc_uuid" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "kyc_case_digits" ON "kyc_case" USING btree ("tenant",regexp_replace(vat_number, '[^0-9A-Za-z]', '', 'g') text_pattern_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "onboarding_provider_id" ON "onboarding" USING btree ("tenant","onboarding_id");--> statement-breakpoint
CREATE UNIQUE INDEX "onboarding_previous" ON "onboarding" USING btree ("previous_id");--> statement-breakpoint
CREATE INDEX "onboarding_document" ON "onboarding" USING btree ("tenant","document_hash");--> statement-breakpoint
CREATE INDEX "onboarding_mask" ON "onboarding" USING btree ("tenant","document_mask");--> statement-breakpoint
CREATE INDEX "onboarding_account" ON "onboarding" USING btree ("tenant","account_id");--> statement-breakpoint
CREATE INDEX "onboarding_queue" ON "onboarding" USING btree ("tenant","status","seq");--> statement-breakpoint
CREATE INDEX "onboarding_order" ON "onboarding" USING btree ("tenant","first_seen_at","seq");--> statement-breakpoint
CREATE INDEX "onboarding_due" ON "onboarding" USING btree ("tenant","next_check_at");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_email" ON "staff" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "transfer_likeness" ON "transfer" USING btree ("tenant","likeness");--> statement-breakpoint
CREATE INDEX "transfer_account" ON "transfer" USING btree ("tenant","account_id","created_at");--> statement-breakpoint
CREATE INDEX "wallet_family" ON "wallet" USING btree ("tenant","family","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_event_id" ON "webhook_event" USING btree ("tenant","event_id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_event_body" ON "webhook_event" USING btree ("tenant","body_hash");--> statement-breakpoint
CREATE INDEX "webhook_event_order" ON "webhook_event" USING btree ("tenant","seq");--> statement-breakpoint
CREATE INDEX "webhook_event_state" ON "webhook_event" USING btree ("tenant","state","seq");--> statement-breakpoint
CREATE INDEX "webhook_event_object" ON "webhook_event" USING btree ("tenant","object","seq");--> statement-breakpoint
CREATE INDEX "webhook_event_last" ON "webhook_event" USING btree ("tenant","last_at");--> statement-breakpoint
CREATE INDEX "webhook_event_waiting" ON "webhook_event" USING btree ("tenant","hint_key","seq") WHERE state = 'WAITING';--> statement-breakpoint
CREATE INDEX "webhook_event_done" ON "webhook_event" USING btree ("tenant","hint_key","done_at");--> statement-breakpoint
CREATE INDEX "webhook_event_age" ON "webhook_event" USING btree ("tenant","received_at");--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_event is append-only';
END;
$$;--> statement-breakpoint
-- The row of a provider, ours until this transaction ends. Read the time after it, not before: others may have had it meanwhile.
CREATE FUNCTION bank_budget_lock(of_origin text) RETURNS bank_budget LANGUAGE plpgsql AS $$
DECLARE
  budget bank_budget;
  none integer[] := array_fill(0, ARRAY[62]);
BEGIN
  -- What a crash of the server may lose of it is less than a second.
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT * INTO budget FROM bank_budget WHERE origin = of_origin FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO bank_budget (origin, second, money, people, watchers, refused)
    VALUES (of_origin, 0, none, none, none, none) ON CONFLICT DO NOTHING;
    SELECT * INTO budget FROM bank_budget WHERE origin = of_origin FOR UPDATE;
  END IF;
  RETURN budget;
END;
$$;--> statement-breakpoint
-- The same budget at a later time. A clock that was put back makes nothing in it older.
CREATE FUNCTION bank_budget_aged(budget bank_budget, at timestamptz) RETURNS bank_budget
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  gone integer := least(62, greatest(0, floor(extract(epoch FROM at)) - budget.second));
  none integer[] := array_fill(0, ARRAY[gone]);
BEGIN
  budget.second := floor(extract(epoch FROM at));
  IF gone > 0 THEN
    budget.money := budget.money[gone + 1:] || none;
    budget.people := budget.people[gone + 1:] || none;
    budget.watchers := budget.watchers[gone + 1:] || none;
    budget.refused := budget.refused[gone + 1:] || none;
  END IF;
  RETURN budget;
END;
$$;--> statement-breakpoint
-- How many calls each lane may make beside those of the last minute: money all that is left, the others what need not be kept
-- for money (a third of the limit), people (7/18) and watchers (1/9).
CREATE FUNCTION bank_budget_rooms(allowed integer, used integer[]) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  free integer := allowed - used[1] - used[2] - used[3];
  for_money integer := greatest(0, round(allowed / 3.0) - used[1]);
  for_people integer := greatest(0, round(allowed * 7 / 18.0) - used[2]);
  for_watchers integer := greatest(0, round(allowed / 9.0) - used[3]);
BEGIN
  RETURN ARRAY[greatest(0, free), greatest(0, free - for_money - for_watchers), greatest(0, free - for_money - for_people)];
END;
$$;--> statement-breakpoint
-- A moment after the first of the coming seconds in which a lane finds room.
CREATE FUNCTION bank_budget_chance(second bigint, rooms integer[], lane integer) RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS $$
  SELECT to_timestamp(second + coalesce(min(ahead), 62)) + interval '250 milliseconds'
  FROM generate_series(1, 62) AS ahead WHERE rooms[3 * ahead + lane] > 0
$$;--> statement-breakpoint
-- So many seconds ahead: under a lowered limit, while calls are left of the configured one and money has rested for five seconds.
CREATE FUNCTION bank_budget_may_retry(budget bank_budget, configured integer, ahead integer) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF coalesce(budget.lowered_to, configured) >= configured THEN RETURN false; END IF;
  RETURN 0 = ALL (budget.money[58 + ahead:]) AND configured > (
    SELECT sum(calls) FROM unnest(budget.money[ahead + 1:] || budget.people[ahead + 1:] || budget.watchers[ahead + 1:]) AS calls
  );
END;
$$;--> statement-breakpoint
-- Gives the lanes (money, people, watchers) what they want of what there is, money first. `rooms` tells, lane by lane, what is
-- left now and, when that was less than wanted, at the start of each of the next 62 seconds if nobody else came. While a lowered
-- limit is used up, money may try again all the same, once in five seconds: the provider said how long it wants to be left alone.
CREATE FUNCTION bank_budget_take(
  of_origin text, configured integer, wanted integer[], given timestamptz,
  OUT granted integer[], OUT used integer[], OUT rooms integer[], OUT allowed integer,
  OUT at_ms double precision, OUT paused_until_ms double precision
) LANGUAGE plpgsql AS $$
DECLARE
  budget bank_budget := bank_budget_lock(of_origin);
  at timestamptz := coalesce(given, clock_timestamp());
  pace integer;
  this_second integer;
  later timestamptz;
  in_use integer[];
  here integer[];
  yields boolean[];
BEGIN
  budget := bank_budget_aged(budget, at);
  allowed := bank_budget_limit(budget, configured, at);
  -- Under a lowered limit calls leave evenly: were it still too high, few would find out before all of them pause.
  pace := CASE WHEN allowed < configured THEN ceil(allowed / 20.0) END;
  this_second := budget.money[62] + budget.people[62] + budget.watchers[62];
  used := ARRAY[
    (SELECT sum(calls) FROM unnest(budget.money) AS calls),
    (SELECT sum(calls) FROM unnest(budget.people) AS calls),
    (SELECT sum(calls) FROM unnest(budget.watchers) AS calls)
  ];
  yields[1] := false;
  yields[2] := coalesce(budget.money_waits_until > at, false);
  yields[3] := yields[2] OR used[3] >= round(allowed / 9.0) AND coalesce(budget.people_wait_until > at, false);
  granted := ARRAY[0, 0, 0];
  FOR lane IN 1..3 LOOP
    CONTINUE WHEN yields[lane] OR at < budget.paused_until;
    here := bank_budget_rooms(allowed, used);
    IF bank_budget_may_retry(budget, configured, 0) THEN here[1] := greatest(here[1], 1); END IF;
    granted[lane] := greatest(0, least(wanted[lane], here[lane], pace - this_second));
    used[lane] := used[lane] + granted[lane];
    this_second := this_second + granted[lane];
  END LOOP;
  budget.money[62] := budget.money[62] + granted[1];
  budget.people[62] := budget.people[62] + granted[2];
  budget.watchers[62] := budget.watchers[62] + granted[3];

  in_use := used;
  later := at;
  FOR ahead IN 0..62 LOOP
    IF ahead > 0 THEN
      later := to_timestamp(budget.second + ahead);
      in_use := ARRAY[in_use[1] - budget.money[ahead], in_use[2] - budget.people[ahead], in_use[3] - budget.watchers[ahead]];
    END IF;
    here := bank_budget_rooms(bank_budget_limit(budget, configured, later), in_use);
    IF bank_budget_may_retry(budget, configured, ahead) THEN here[1] := greatest(here[1], 1 + ahead / 5); END IF;
    FOR lane IN 1..3 LOOP
      here[lane] := least(here[lane], greatest(0, pace - this_second) + pace * ahead);
      IF later < budget.paused_until OR ahead = 0 AND yields[lane] THEN here[lane] := 0; END IF;
    END LOOP;
    rooms := rooms || here;
    EXIT WHEN granted = wanted;
  END LOOP;
  at_ms := extract(epoch FROM at) * 1000;
  paused_until_ms := CASE WHEN budget.paused_until > at THEN extract(epoch FROM budget.paused_until) * 1000 END;
  IF wanted = ARRAY[0, 0, 0] THEN RETURN; END IF;

  -- Who has to wait comes back when there is room; until a moment later the lanes behind leave it to them.
  IF granted[1] < wanted[1] THEN budget.money_waits_until := bank_budget_chance(budget.second, rooms, 1); END IF;
  IF granted[2] < wanted[2] THEN budget.people_wait_until := bank_budget_chance(budget.second, rooms, 2); END IF;
  UPDATE bank_budget SET second = budget.second, money = budget.money, people = budget.people,
    watchers = budget.watchers, refused = budget.refused,
    money_waits_until = budget.money_waits_until, people_wait_until = budget.people_wait_until
  WHERE origin = of_origin;
END;
$$;--> statement-breakpoint
-- A lowered limit grows again from a minute after its last pause: by an eighth of the configured one each minute, call by call.
CREATE FUNCTION bank_budget_limit(budget bank_budget, configured integer, at timestamptz) RETURNS integer
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF budget.lowered_to IS NULL THEN RETURN configured; END IF;
  RETURN least(configured, budget.lowered_to
    + floor(greatest(0, extract(epoch FROM at - budget.paused_until) - 60) * configured / 480));
END;
$$;--> statement-breakpoint
-- The provider answered 429, and all lanes pause. The limit becomes what it let through in the last minute, but no less than
-- half: what a quiet desk happened to ask tells little. When it refuses within a minute of the last pause what was within the
-- limit, that falls by three tenths. Those that come during a pause were on their way with its first: each is one call less
-- that was let through.
CREATE FUNCTION bank_budget_refused(of_origin text, configured integer, pause_ms double precision, given timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  budget bank_budget := bank_budget_lock(of_origin);
  at timestamptz := coalesce(given, clock_timestamp());
  allowed integer;
  called integer;
  let_through integer;
BEGIN
  budget := bank_budget_aged(budget, at);
  allowed := bank_budget_limit(budget, configured, at);
  budget.refused[62] := budget.refused[62] + 1;
  called := (SELECT sum(calls) FROM unnest(budget.money || budget.people || budget.watchers) AS calls);
  let_through := called - (SELECT sum(calls) FROM unnest(budget.refused) AS calls);
  allowed := CASE
    WHEN at < budget.paused_until THEN CASE let_through WHEN allowed - 1 THEN let_through ELSE allowed END
    WHEN at >= budget.paused_until + interval '1 minute' OR budget.paused_until IS NULL
      THEN least(allowed, greatest(let_through, ceil(allowed / 2.0)))
    WHEN called <= allowed THEN floor(allowed * 0.7)
    ELSE allowed
  END;
  UPDATE bank_budget SET second = budget.second, money = budget.money, people = budget.people,
    watchers = budget.watchers, refused = budget.refused,
    lowered_to = least(configured, greatest(6, allowed)),
    paused_until = greatest(budget.paused_until, at + pause_ms * interval '1 millisecond')
  WHERE origin = of_origin;
END;
$$;--> statement-breakpoint
-- What the meter shows of a budget, without the lock that taking from it needs: every screen looks, and a look must hold up no call.
CREATE FUNCTION bank_budget_look(
  of_origin text, configured integer, given timestamptz,
  OUT used integer[], OUT allowed integer, OUT paused_until_ms double precision
) LANGUAGE plpgsql STABLE AS $$
DECLARE
  budget bank_budget;
  at timestamptz := coalesce(given, clock_timestamp());
BEGIN
  SELECT * INTO budget FROM bank_budget WHERE origin = of_origin;
  IF NOT FOUND THEN
    used := ARRAY[0, 0, 0];
    allowed := configured;
    RETURN;
  END IF;
  budget := bank_budget_aged(budget, at);
  used := ARRAY[
    (SELECT sum(calls) FROM unnest(budget.money) AS calls),
    (SELECT sum(calls) FROM unnest(budget.people) AS calls),
    (SELECT sum(calls) FROM unnest(budget.watchers) AS calls)
  ];
  allowed := bank_budget_limit(budget, configured, at);
  paused_until_ms := CASE WHEN budget.paused_until > at THEN extract(epoch FROM budget.paused_until) * 1000 END;
END;
$$;--> statement-breakpoint
CREATE FUNCTION keep_approval_comment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'approval_comment is append-only';
  END IF;
  IF (NEW.tenant, NEW.id, NEW.approval_id, NEW.staff_id, NEW.created_at)
    IS DISTINCT FROM (OLD.tenant, OLD.id, OLD.approval_id, OLD.staff_id, OLD.created_at) THEN
    RAISE EXCEPTION 'approval_comment is append-only';
  END IF;
  RETURN NEW;
END;
$$;--> statement-breakpoint
CREATE FUNCTION keep_approval_policy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'approval_policy is append-only';
END;
$$;--> statement-breakpoint
-- A field with its length in bytes before it, so that no two rows read alike; "-" is one that is not there.
CREATE FUNCTION audit_field(field text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(octet_length(convert_to(field, 'UTF8')) || ':' || field, '-') || ','
$$;--> statement-breakpoint
-- What lib/audit/chain.ts computes too, on its own. A change of the fields needs a new first field, and both for all time.
CREATE FUNCTION audit_hash(event audit_event, previous text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(concat(
    audit_field('audit-1'),
    audit_field(event.tenant),
    audit_field(event.seq::text),
    audit_field((extract(epoch FROM event.at) * 1000000)::bigint::text),
    audit_field(event.code),
    audit_field(event.outcome),
    audit_field(event.actor),
    audit_field(event.object),
    audit_field(event.intent_id::text),
    audit_field(event.detail::text),
    audit_field(previous)
  ), 'UTF8')), 'hex')
$$;--> statement-breakpoint
-- Holding the head until the end of the transaction makes the order of the rows that of the commits: no gap, ever.
CREATE FUNCTION chain_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  head audit_head;
BEGIN
  SELECT * INTO head FROM audit_head WHERE tenant = NEW.tenant FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO audit_head VALUES (NEW.tenant, 0, clock_timestamp(), '') ON CONFLICT DO NOTHING;
    SELECT * INTO head FROM audit_head WHERE tenant = NEW.tenant FOR UPDATE;
  END IF;
  NEW.seq := head.seq + 1;
  NEW.at := greatest(clock_timestamp(), head.at);
  NEW.hash := audit_hash(NEW, head.hash);
  UPDATE audit_head SET seq = NEW.seq, at = NEW.at, hash = NEW.hash WHERE tenant = NEW.tenant;
  RETURN NEW;
END;
$$;--> statement-breakpoint
CREATE FUNCTION refuse_head_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP IN ('DELETE', 'TRUNCATE') OR pg_trigger_depth() < 2 THEN
    RAISE EXCEPTION 'audit_head is kept by its trigger';
  END IF;
  RETURN NULL;
END;
$$;--> statement-breakpoint
-- What is sealed may be sealed anew under another key; it names its own row, so it cannot be exchanged for another one's.
CREATE FUNCTION keep_dossier() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    RAISE EXCEPTION 'dossiers are not emptied';
  END IF;
  IF (NEW.tenant, NEW.id, NEW.object, NEW.intent_id, NEW.opening, NEW.staff_id, NEW.created_at, NEW.frozen_hash)
    IS DISTINCT FROM
     (OLD.tenant, OLD.id, OLD.object, OLD.intent_id, OLD.opening, OLD.staff_id, OLD.created_at, OLD.frozen_hash) THEN
    RAISE EXCEPTION 'what was frozen stays as it was';
  END IF;
  IF OLD.sealed_at IS NOT NULL AND (
    (NEW.sealed_at, NEW.end_state, NEW.sha256, NEW.signed_by) IS DISTINCT FROM
    (OLD.sealed_at, OLD.end_state, OLD.sha256, OLD.signed_by)
    OR NEW.file_sealed IS NULL OR NEW.frozen_sealed IS NOT NULL OR NEW.recheck_sealed IS NOT NULL
  ) THEN
    RAISE EXCEPTION 'a dossier is sealed once';
  END IF;
  IF (NEW.sealed_at IS NULL) <> (NEW.file_sealed IS NULL) OR (NEW.sealed_at IS NULL) = (NEW.frozen_sealed IS NULL) THEN
    RAISE EXCEPTION 'a dossier is either frozen or sealed';
  END IF;
  RETURN NEW;
END;
$$;--> statement-breakpoint
CREATE FUNCTION count_added_cases() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kyc_case_count (tenant, status, kyc_type, process, assignee_id, cases)
    SELECT tenant, status, kyc_type, process, assignee_id, count(*) FROM added GROUP BY 1, 2, 3, 4, 5;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE FUNCTION count_removed_cases() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kyc_case_count (tenant, status, kyc_type, process, assignee_id, cases)
    SELECT tenant, status, kyc_type, process, assignee_id, -count(*) FROM removed GROUP BY 1, 2, 3, 4, 5;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE FUNCTION count_changed_cases() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kyc_case_count (tenant, status, kyc_type, process, assignee_id, cases)
    SELECT tenant, status, kyc_type, process, assignee_id, sum(cases) FROM (
      SELECT tenant, status, kyc_type, process, assignee_id, 1 AS cases FROM added
      UNION ALL
      SELECT tenant, status, kyc_type, process, assignee_id, -1 FROM removed
    ) changed GROUP BY 1, 2, 3, 4, 5 HAVING sum(cases) <> 0;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE FUNCTION forget_case_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM kyc_case_count;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE FUNCTION audit_hold(tenants text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM audit_head WHERE tenant = ANY (tenants) ORDER BY tenant COLLATE "C" FOR UPDATE;
END;
$$;--> statement-breakpoint
-- What a person said became of it may be said anew, once the provider has shown otherwise: nothing else moves what has ended.
CREATE FUNCTION keep_approval_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'an approval is never removed';
  END IF;
  IF (NEW.tenant, NEW.id, NEW.kind, NEW.permission, NEW.intent_id, NEW.object, NEW.is_exclusive, NEW.body_hash,
      NEW.policy_version, NEW.maker_id, NEW.created_at, NEW.expires_at)
    IS DISTINCT FROM
     (OLD.tenant, OLD.id, OLD.kind, OLD.permission, OLD.intent_id, OLD.object, OLD.is_exclusive, OLD.body_hash,
      OLD.policy_version, OLD.maker_id, OLD.created_at, OLD.expires_at) THEN
    RAISE EXCEPTION 'what was proposed is frozen';
  END IF;
  IF OLD.state <> 'PENDING' AND (NEW.decider_id, NEW.decided_at) IS DISTINCT FROM (OLD.decider_id, OLD.decided_at) THEN
    RAISE EXCEPTION 'an approval is decided once';
  END IF;
  IF NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
    ('PENDING', 'READY'), ('PENDING', 'AUTHORISED'), ('PENDING', 'REFUSED'), ('PENDING', 'WITHDRAWN'), ('PENDING', 'EXPIRED'),
    ('READY', 'AUTHORISED'), ('READY', 'WITHDRAWN'), ('READY', 'EXPIRED'), ('READY', 'FAILED'),
    ('AUTHORISED', 'READY'), ('AUTHORISED', 'EXECUTED'), ('AUTHORISED', 'HELD'), ('AUTHORISED', 'FAILED'), ('AUTHORISED', 'UNKNOWN'),
    ('UNKNOWN', 'EXECUTED'), ('UNKNOWN', 'HELD'), ('UNKNOWN', 'FAILED'), ('HELD', 'EXECUTED'), ('HELD', 'FAILED')
  ) AND NOT (
    (OLD.state, NEW.state) IN (('EXECUTED', 'FAILED'), ('FAILED', 'EXECUTED'))
    AND EXISTS (SELECT 1 FROM bank_intent
      WHERE bank_intent.tenant = NEW.tenant AND bank_intent.id = NEW.intent_id AND bank_intent.ended_by IS NOT NULL)
  ) THEN
    RAISE EXCEPTION 'an approval does not go from % to %', OLD.state, NEW.state;
  END IF;
  RETURN NEW;
END;
$$;--> statement-breakpoint
-- Who works with the record may only add to it: numbering, chaining and holding its end are its owner's to do.
ALTER FUNCTION chain_audit_event() SECURITY DEFINER SET search_path = public, pg_temp;--> statement-breakpoint
CREATE TRIGGER approval_frozen BEFORE UPDATE OR DELETE ON approval
  FOR EACH ROW EXECUTE FUNCTION keep_approval_frozen();--> statement-breakpoint
CREATE TRIGGER approval_not_emptied BEFORE TRUNCATE ON approval
  FOR EACH STATEMENT EXECUTE FUNCTION keep_approval_frozen();--> statement-breakpoint
CREATE TRIGGER approval_comment_append_only BEFORE UPDATE OR DELETE ON approval_comment
  FOR EACH ROW EXECUTE FUNCTION keep_approval_comment();--> statement-breakpoint
CREATE TRIGGER approval_comment_not_emptied BEFORE TRUNCATE ON approval_comment
  FOR EACH STATEMENT EXECUTE FUNCTION keep_approval_comment();--> statement-breakpoint
CREATE TRIGGER approval_policy_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON approval_policy
  FOR EACH STATEMENT EXECUTE FUNCTION keep_approval_policy();--> statement-breakpoint
CREATE TRIGGER audit_event_chain BEFORE INSERT ON audit_event
  FOR EACH ROW EXECUTE FUNCTION chain_audit_event();--> statement-breakpoint
CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER audit_head_kept BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON audit_head
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_head_change();--> statement-breakpoint
CREATE TRIGGER dossier_kept BEFORE UPDATE ON dossier
  FOR EACH ROW EXECUTE FUNCTION keep_dossier();--> statement-breakpoint
CREATE TRIGGER dossier_not_emptied BEFORE TRUNCATE ON dossier
  FOR EACH STATEMENT EXECUTE FUNCTION keep_dossier();--> statement-breakpoint
CREATE TRIGGER kyc_case_added AFTER INSERT ON kyc_case
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_cases();--> statement-breakpoint
CREATE TRIGGER kyc_case_removed AFTER DELETE ON kyc_case
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_cases();--> statement-breakpoint
CREATE TRIGGER kyc_case_changed AFTER UPDATE ON kyc_case
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_changed_cases();--> statement-breakpoint
CREATE TRIGGER kyc_case_emptied AFTER TRUNCATE ON kyc_case
  FOR EACH STATEMENT EXECUTE FUNCTION forget_case_counts();
