CREATE TABLE "account_entry" (
	"tenant" text NOT NULL,
	"account_ref" uuid NOT NULL,
	"key" text NOT NULL,
	"ordinal" integer NOT NULL,
	"transaction_id" text NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"direction" text,
	"direction_word" text NOT NULL,
	"amount" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"is_dated" boolean NOT NULL,
	"is_booked" boolean NOT NULL,
	"kept_at" timestamp with time zone NOT NULL,
	"dropped_at" timestamp with time zone,
	"text_sealed" text NOT NULL,
	"document_hash" text,
	"document_sealed" text,
	"name_hash" text,
	"name_sealed" text,
	CONSTRAINT "account_entry_tenant_account_ref_key_ordinal_pk" PRIMARY KEY("tenant","account_ref","key","ordinal")
);
--> statement-breakpoint
CREATE TABLE "account_reading" (
	"tenant" text NOT NULL,
	"account_ref" uuid NOT NULL,
	"from_day" text,
	"until" timestamp with time zone,
	"unread" integer DEFAULT 0 NOT NULL,
	"tried_at" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"why" text,
	"moved_at" timestamp with time zone,
	CONSTRAINT "account_reading_tenant_account_ref_pk" PRIMARY KEY("tenant","account_ref")
);
--> statement-breakpoint
CREATE INDEX "account_entry_at" ON "account_entry" USING btree ("tenant","at","account_ref","key","ordinal");--> statement-breakpoint
CREATE INDEX "account_entry_of" ON "account_entry" USING btree ("tenant","account_ref","at");--> statement-breakpoint
CREATE INDEX "account_entry_transaction" ON "account_entry" USING btree ("tenant","transaction_id");--> statement-breakpoint
CREATE INDEX "account_entry_document" ON "account_entry" USING btree ("tenant","document_hash") WHERE document_hash is not null;--> statement-breakpoint
CREATE INDEX "account_entry_name" ON "account_entry" USING btree ("tenant","name_hash") WHERE name_hash is not null;--> statement-breakpoint
CREATE INDEX "chain_movement_listed" ON "chain_movement" USING btree ("tenant","at","wallet_id","network","key","ordinal");--> statement-breakpoint
CREATE INDEX "chain_movement_words" ON "chain_movement" USING btree ("tenant","subtype",coalesce("status", ''));