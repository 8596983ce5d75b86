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
	"to_be_checked_since" timestamp with time zone,
	CONSTRAINT "transfer_tenant_intent_id_pk" PRIMARY KEY("tenant","intent_id")
);
--> statement-breakpoint
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
	"code" text,
	"antifraud_id" text,
	"pending_expires_at" timestamp with time zone,
	"kept_sealed" text,
	CONSTRAINT "bank_intent_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
ALTER TABLE "transfer" ADD CONSTRAINT "transfer_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer" ADD CONSTRAINT "transfer_tenant_intent_id_bank_intent_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."bank_intent"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "transfer_likeness" ON "transfer" USING btree ("tenant","likeness");--> statement-breakpoint
CREATE INDEX "transfer_account" ON "transfer" USING btree ("tenant","account_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "bank_intent_in_flight" ON "bank_intent" USING btree ("tenant","operation","object") WHERE state = 'SENDING' and is_exclusive;--> statement-breakpoint
CREATE INDEX "bank_intent_undecided" ON "bank_intent" USING btree ("tenant","operation") WHERE state in ('SENDING', 'UNKNOWN');--> statement-breakpoint
CREATE INDEX "bank_intent_object" ON "bank_intent" USING btree ("tenant","object","created_at");