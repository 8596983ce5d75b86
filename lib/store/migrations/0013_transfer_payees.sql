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
CREATE TABLE "crypto_order" (
	"tenant" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"order_sealed" text NOT NULL,
	"ordered_at" timestamp with time zone NOT NULL,
	CONSTRAINT "crypto_order_tenant_intent_id_pk" PRIMARY KEY("tenant","intent_id")
);
--> statement-breakpoint
CREATE INDEX "transfer_payee_document" ON "transfer_payee" USING btree ("tenant","document_hash","ordered_at");--> statement-breakpoint
CREATE INDEX "transfer_payee_name" ON "transfer_payee" USING btree ("tenant","name_hash","ordered_at");--> statement-breakpoint
CREATE INDEX "transfer_payee_account" ON "transfer_payee" USING btree ("tenant","account_id");--> statement-breakpoint
CREATE INDEX "transfer_payee_bank" ON "transfer_payee" USING btree ("tenant","ispb");