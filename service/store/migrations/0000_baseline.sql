CREATE TABLE "bank_account" (
	"id" text PRIMARY KEY NOT NULL,
	"serial" integer GENERATED ALWAYS AS IDENTITY (sequence name "bank_account_serial_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 104729 CACHE 1),
	"client_id" text NOT NULL,
	"onboarding_id" text NOT NULL,
	"document_number" text NOT NULL,
	"branch" text NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone,
	"closed_by" text,
	"closing_reason" text,
	CONSTRAINT "bank_account_serial_unique" UNIQUE("serial"),
	CONSTRAINT "bank_account_onboarding_id_unique" UNIQUE("onboarding_id")
);--> statement-breakpoint
CREATE TABLE "onboarding" (
	"id" text PRIMARY KEY NOT NULL,
	"sequence" bigserial NOT NULL,
	"client_id" text NOT NULL,
	"holder_type" text NOT NULL,
	"document_number" text NOT NULL,
	"holder_name" text NOT NULL,
	"holder" jsonb NOT NULL,
	"pix_keys" text[] GENERATED ALWAYS AS (array_remove(array[
  document_number,
  lower(holder ->> 'email'), lower(holder ->> 'accountEmail'), lower(holder ->> 'businessEmail'),
  '+' || regexp_replace(holder ->> 'phoneNumber', '[^0-9]', '', 'g'),
  '+' || regexp_replace(holder ->> 'contactNumber', '[^0-9]', '', 'g')
], null)) STORED NOT NULL,
	"status" text NOT NULL,
	"trace_id" text NOT NULL,
	"biometric_url" text,
	"page_token" text NOT NULL,
	"messages" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "onboarding_page_token_unique" UNIQUE("page_token")
);--> statement-breakpoint
CREATE TABLE "antifraud_case" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"details" jsonb NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"decided_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE TABLE "chain_entry" (
	"sequence" bigserial NOT NULL,
	"wallet_id" text NOT NULL,
	"movement_id" text NOT NULL,
	"network" text NOT NULL,
	"asset_id" text NOT NULL,
	"hash" text NOT NULL,
	"block_number" bigint NOT NULL,
	"subtype" text NOT NULL,
	"amount" text NOT NULL,
	"fee" text,
	"counter_address" text NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "chain_entry_movement" UNIQUE("wallet_id","movement_id","subtype")
);--> statement-breakpoint
CREATE TABLE "wallet" (
	"id" text PRIMARY KEY NOT NULL,
	"sequence" bigserial NOT NULL,
	"client_id" text NOT NULL,
	"family" text NOT NULL,
	"derivation_index" integer NOT NULL,
	"address" text NOT NULL,
	"user_id" text,
	"reference" text,
	"is_forward_payment" integer NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "wallet_address_unique" UNIQUE("address"),
	CONSTRAINT "wallet_derivation_index" UNIQUE("family","derivation_index")
);--> statement-breakpoint
CREATE TABLE "wallet_derivation" (
	"family" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL
);--> statement-breakpoint
CREATE TABLE "wallet_seed" (
	"id" text PRIMARY KEY NOT NULL,
	"seed" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "idempotency_record" (
	"client_id" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"status" integer NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_record_client_id_key_pk" PRIMARY KEY("client_id","key")
);--> statement-breakpoint
CREATE TABLE "job" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL
);--> statement-breakpoint
CREATE TABLE "kyc_charge" (
	"kyc_uuid" uuid PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"kyc_type" text NOT NULL,
	"model" text NOT NULL,
	"charged_at" timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "kyc_decision" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kyc_uuid" uuid NOT NULL,
	"decision" text NOT NULL,
	"reason" text NOT NULL,
	"decided_at" timestamp with time zone NOT NULL
);--> statement-breakpoint
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
);--> statement-breakpoint
CREATE TABLE "kyc_webview" (
	"token" text PRIMARY KEY NOT NULL,
	"kyc_uuid" uuid NOT NULL,
	"position" integer NOT NULL,
	"vat_number" text NOT NULL,
	"finished_at" timestamp with time zone
);--> statement-breakpoint
CREATE TABLE "ledger_account" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_account_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"holder" text NOT NULL,
	"asset_id" text NOT NULL,
	"kind" text NOT NULL,
	"balance" numeric(78, 0),
	"entry_count" bigint,
	"is_closed" boolean DEFAULT false NOT NULL,
	CONSTRAINT "ledger_account_holder" UNIQUE("holder","asset_id","kind"),
	CONSTRAINT "ledger_account_never_negative" CHECK ("ledger_account"."balance" >= 0),
	CONSTRAINT "ledger_account_outside" CHECK (("ledger_account"."kind" = 'outside') = ("ledger_account"."balance" is null) and ("ledger_account"."balance" is null) = ("ledger_account"."entry_count" is null))
);--> statement-breakpoint
CREATE TABLE "ledger_asset" (
	"id" text PRIMARY KEY NOT NULL,
	"network" text,
	"symbol" text NOT NULL,
	"decimals" integer NOT NULL,
	"token_address" text
);--> statement-breakpoint
CREATE TABLE "ledger_entry" (
	"movement_id" text NOT NULL,
	"account_id" integer NOT NULL,
	"sequence" bigint,
	"amount" numeric(78, 0) NOT NULL,
	"balance_after" numeric(78, 0),
	"occurred_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_entry_movement_id_account_id_pk" PRIMARY KEY("movement_id","account_id"),
	CONSTRAINT "ledger_entry_sequence" UNIQUE("account_id","sequence"),
	CONSTRAINT "ledger_entry_moves_something" CHECK ("ledger_entry"."amount" <> 0)
);--> statement-breakpoint
CREATE TABLE "ledger_movement" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"description" text NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "otc_trade" (
	"id" text PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"side" text NOT NULL,
	"asset_id" text NOT NULL,
	"quantity" numeric(78, 0) NOT NULL,
	"price_cents" numeric(78, 0) NOT NULL,
	"total_cents" numeric(78, 0) NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE TABLE "clock_offset" (
	"id" text PRIMARY KEY NOT NULL,
	"offset_ms" bigint NOT NULL
);--> statement-breakpoint
CREATE TABLE "tenant_billing" (
	"client_id" text PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"instead_of" text NOT NULL
);--> statement-breakpoint
CREATE TABLE "revoked_token" (
	"token_id" uuid PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"revoked_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "signing_key" (
	"id" text PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "external_transfer" (
	"transaction_id" text PRIMARY KEY NOT NULL,
	"recipient" jsonb NOT NULL
);--> statement-breakpoint
CREATE TABLE "webhook_attempt" (
	"event_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"http_status" integer,
	"error" text,
	CONSTRAINT "webhook_attempt_number" UNIQUE("event_id","number")
);--> statement-breakpoint
CREATE TABLE "webhook_event" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"event" text NOT NULL,
	"body" text NOT NULL,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"sequence" bigserial NOT NULL
);--> statement-breakpoint
ALTER TABLE "bank_account" ADD CONSTRAINT "bank_account_onboarding_id_onboarding_id_fk" FOREIGN KEY ("onboarding_id") REFERENCES "public"."onboarding"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_entry" ADD CONSTRAINT "chain_entry_wallet_id_wallet_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallet"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_entry" ADD CONSTRAINT "chain_entry_movement_id_ledger_movement_id_fk" FOREIGN KEY ("movement_id") REFERENCES "public"."ledger_movement"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_entry" ADD CONSTRAINT "chain_entry_asset_id_ledger_asset_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."ledger_asset"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_charge" ADD CONSTRAINT "kyc_charge_kyc_uuid_kyc_process_kyc_uuid_fk" FOREIGN KEY ("kyc_uuid") REFERENCES "public"."kyc_process"("kyc_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_decision" ADD CONSTRAINT "kyc_decision_kyc_uuid_kyc_process_kyc_uuid_fk" FOREIGN KEY ("kyc_uuid") REFERENCES "public"."kyc_process"("kyc_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_webview" ADD CONSTRAINT "kyc_webview_kyc_uuid_kyc_process_kyc_uuid_fk" FOREIGN KEY ("kyc_uuid") REFERENCES "public"."kyc_process"("kyc_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_account" ADD CONSTRAINT "ledger_account_asset_id_ledger_asset_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."ledger_asset"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_movement_id_ledger_movement_id_fk" FOREIGN KEY ("movement_id") REFERENCES "public"."ledger_movement"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_account_id_ledger_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "otc_trade" ADD CONSTRAINT "otc_trade_asset_id_ledger_asset_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."ledger_asset"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "external_transfer" ADD CONSTRAINT "external_transfer_transaction_id_ledger_movement_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."ledger_movement"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempt" ADD CONSTRAINT "webhook_attempt_event_id_webhook_event_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."webhook_event"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bank_account_client" ON "bank_account" USING btree ("client_id","document_number");--> statement-breakpoint
CREATE UNIQUE INDEX "onboarding_one_per_document" ON "onboarding" USING btree ("client_id","document_number") WHERE "onboarding"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "onboarding_document" ON "onboarding" USING btree ("client_id","document_number","sequence");--> statement-breakpoint
CREATE INDEX "onboarding_period" ON "onboarding" USING btree ("client_id","created_at","sequence");--> statement-breakpoint
CREATE INDEX "onboarding_pix_keys" ON "onboarding" USING gin ("pix_keys");--> statement-breakpoint
CREATE INDEX "antifraud_case_client" ON "antifraud_case" USING btree ("client_id","created_at");--> statement-breakpoint
CREATE INDEX "chain_entry_history" ON "chain_entry" USING btree ("wallet_id","network","block_number","sequence");--> statement-breakpoint
CREATE INDEX "wallet_client" ON "wallet" USING btree ("client_id","sequence");--> statement-breakpoint
CREATE INDEX "wallet_master" ON "wallet" USING btree ("client_id","family","sequence") WHERE "wallet"."is_forward_payment" = 0 and "wallet"."user_id" is null;--> statement-breakpoint
CREATE INDEX "idempotency_record_age" ON "idempotency_record" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "job_due" ON "job" USING btree ("due_at","id");--> statement-breakpoint
CREATE INDEX "job_subject" ON "job" USING btree ("kind","subject");--> statement-breakpoint
CREATE INDEX "kyc_process_newest" ON "kyc_process" USING btree ("client_id","created_at" DESC NULLS LAST,"sequence" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "kyc_webview_process" ON "kyc_webview" USING btree ("kyc_uuid","position");--> statement-breakpoint
CREATE INDEX "ledger_entry_statement" ON "ledger_entry" USING btree ("account_id","occurred_at","sequence");--> statement-breakpoint
CREATE INDEX "webhook_event_waiting" ON "webhook_event" USING btree ("client_id","sequence","due_at") WHERE "webhook_event"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "webhook_event_due" ON "webhook_event" USING btree ("due_at") WHERE "webhook_event"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "webhook_event_client" ON "webhook_event" USING btree ("client_id","created_at");--> statement-breakpoint
CREATE FUNCTION "ledger_refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;--> statement-breakpoint
CREATE FUNCTION "ledger_refuse_unbalanced"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (
		SELECT FROM added JOIN ledger_account ON ledger_account.id = added.account_id
		GROUP BY added.movement_id, ledger_account.asset_id HAVING sum(added.amount) <> 0
	) THEN
		RAISE EXCEPTION 'a movement does not balance' USING ERRCODE = 'check_violation';
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "ledger_entry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_entry" FOR EACH STATEMENT EXECUTE FUNCTION "ledger_refuse_change"();--> statement-breakpoint
CREATE TRIGGER "ledger_movement_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_movement" FOR EACH STATEMENT EXECUTE FUNCTION "ledger_refuse_change"();--> statement-breakpoint
CREATE TRIGGER "ledger_entry_balanced" AFTER INSERT ON "ledger_entry" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "ledger_refuse_unbalanced"();
