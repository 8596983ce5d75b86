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
);
--> statement-breakpoint
ALTER TABLE "bank_account" ADD COLUMN "closed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "bank_account" ADD COLUMN "closed_by" text;--> statement-breakpoint
ALTER TABLE "bank_account" ADD COLUMN "closing_reason" text;--> statement-breakpoint
ALTER TABLE "onboarding" ADD COLUMN "pix_keys" text[] GENERATED ALWAYS AS (array_remove(array[
  document_number,
  lower(holder ->> 'email'), lower(holder ->> 'accountEmail'), lower(holder ->> 'businessEmail'),
  '+' || regexp_replace(holder ->> 'phoneNumber', '[^0-9]', '', 'g'),
  '+' || regexp_replace(holder ->> 'contactNumber', '[^0-9]', '', 'g')
], null)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "otc_trade" ADD CONSTRAINT "otc_trade_asset_id_ledger_asset_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."ledger_asset"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "onboarding_pix_keys" ON "onboarding" USING gin ("pix_keys");