CREATE TABLE "antifraud_case" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"details" jsonb NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"decided_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "idempotency_record" (
	"client_id" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"status" integer NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_record_client_id_key_pk" PRIMARY KEY("client_id","key")
);
--> statement-breakpoint
CREATE TABLE "external_transfer" (
	"transaction_id" text PRIMARY KEY NOT NULL,
	"recipient" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ledger_account" ADD COLUMN "is_closed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "external_transfer" ADD CONSTRAINT "external_transfer_transaction_id_ledger_movement_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."ledger_movement"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "antifraud_case_client" ON "antifraud_case" USING btree ("client_id","created_at");--> statement-breakpoint
CREATE INDEX "idempotency_record_age" ON "idempotency_record" USING btree ("created_at");