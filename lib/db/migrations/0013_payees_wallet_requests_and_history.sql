CREATE TABLE "transfer_payee" (
	"tenant" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"amount" text,
	"account_id" text,
	"ispb" text,
	"document_sealed" text,
	"document_hash" text,
	"name_sealed" text,
	"name_hash" text,
	"ordered_at" timestamp with time zone NOT NULL,
	CONSTRAINT "transfer_payee_tenant_intent_id_pk" PRIMARY KEY("tenant","intent_id")
);
--> statement-breakpoint
CREATE TABLE "chain_movement" (
	"tenant" text NOT NULL,
	"wallet_id" text NOT NULL,
	"network" text NOT NULL,
	"key" text NOT NULL,
	"ordinal" integer NOT NULL,
	"hash" text NOT NULL,
	"subtype" text NOT NULL,
	"counter_address" text NOT NULL,
	"amount" text NOT NULL,
	"block_number" text,
	"at" timestamp with time zone NOT NULL,
	"token_address" text,
	"asset" text,
	"derived_fee" text,
	CONSTRAINT "chain_movement_tenant_wallet_id_network_key_ordinal_pk" PRIMARY KEY("tenant","wallet_id","network","key","ordinal")
);
--> statement-breakpoint
CREATE TABLE "chain_reading" (
	"tenant" text NOT NULL,
	"wallet_id" text NOT NULL,
	"network" text NOT NULL,
	"token_address" text DEFAULT '' NOT NULL,
	"as_of" timestamp with time zone,
	"tried_at" timestamp with time zone,
	"next_page" integer DEFAULT 0 NOT NULL,
	"is_whole" boolean DEFAULT false NOT NULL,
	"unread" integer DEFAULT 0 NOT NULL,
	"native" text,
	"native_at" timestamp with time zone,
	CONSTRAINT "chain_reading_tenant_wallet_id_network_token_address_pk" PRIMARY KEY("tenant","wallet_id","network","token_address")
);
--> statement-breakpoint
CREATE TABLE "crypto_order" (
	"tenant" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"order_sealed" text NOT NULL,
	"ordered_at" timestamp with time zone NOT NULL,
	CONSTRAINT "crypto_order_tenant_intent_id_pk" PRIMARY KEY("tenant","intent_id")
);
--> statement-breakpoint
CREATE TABLE "wallet_label" (
	"tenant" text NOT NULL,
	"wallet_id" text NOT NULL,
	"label" text,
	"use" text,
	"set_by" uuid NOT NULL,
	"set_at" timestamp with time zone NOT NULL,
	CONSTRAINT "wallet_label_tenant_wallet_id_pk" PRIMARY KEY("tenant","wallet_id")
);
--> statement-breakpoint
CREATE TABLE "wallet_request" (
	"tenant" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"family" text NOT NULL,
	"is_forward" boolean NOT NULL,
	"reference_hash" text,
	"reference_sealed" text,
	"customer_hash" text,
	"customer_sealed" text,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"wallet_id" text,
	"address" text,
	CONSTRAINT "wallet_request_tenant_intent_id_pk" PRIMARY KEY("tenant","intent_id")
);
--> statement-breakpoint
ALTER TABLE "wallet" ADD COLUMN "first_seen_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "transfer_payee" ADD CONSTRAINT "transfer_payee_tenant_intent_id_intent_claim_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."intent_claim"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crypto_order" ADD CONSTRAINT "crypto_order_tenant_intent_id_intent_claim_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."intent_claim"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_request" ADD CONSTRAINT "wallet_request_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_request" ADD CONSTRAINT "wallet_request_tenant_intent_id_bank_intent_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."bank_intent"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "transfer_payee_document" ON "transfer_payee" USING btree ("tenant","document_hash","ordered_at");--> statement-breakpoint
CREATE INDEX "transfer_payee_name" ON "transfer_payee" USING btree ("tenant","name_hash","ordered_at");--> statement-breakpoint
CREATE INDEX "transfer_payee_account" ON "transfer_payee" USING btree ("tenant","account_id");--> statement-breakpoint
CREATE INDEX "transfer_payee_bank" ON "transfer_payee" USING btree ("tenant","ispb");--> statement-breakpoint
CREATE INDEX "chain_movement_at" ON "chain_movement" USING btree ("tenant","wallet_id","at");--> statement-breakpoint
CREATE INDEX "chain_movement_hash" ON "chain_movement" USING btree ("tenant",lower("hash"));--> statement-breakpoint
CREATE INDEX "wallet_request_reference" ON "wallet_request" USING btree ("tenant","reference_hash");--> statement-breakpoint
CREATE INDEX "wallet_request_customer" ON "wallet_request" USING btree ("tenant","customer_hash");--> statement-breakpoint
CREATE INDEX "wallet_request_created" ON "wallet_request" USING btree ("tenant","kind","created_at");--> statement-breakpoint
CREATE INDEX "wallet_request_address" ON "wallet_request" USING btree ("tenant",lower(address));