CREATE TABLE "deposit" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"standing" text,
	"cause" text,
	"stage" text,
	"reference_hash" text,
	"reference_sealed" text,
	"address" text,
	"address_key" text,
	"network" text,
	"tx_hash" text,
	"amount" text NOT NULL,
	"token" text,
	"asset" text,
	"at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone,
	"expected_id" uuid,
	"matched_at" timestamp with time zone,
	"evidence" jsonb,
	"sweep_wallet_id" text,
	"seen_at" timestamp with time zone NOT NULL,
	"staff_id" uuid,
	"owner_id" uuid,
	"reason" text,
	"note_sealed" text,
	"handled_by" uuid,
	"handled_at" timestamp with time zone,
	CONSTRAINT "deposit_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
CREATE TABLE "deposit_notice" (
	"tenant" text NOT NULL,
	"identity" text NOT NULL,
	"event_id" uuid NOT NULL,
	"family" text NOT NULL,
	"address" text NOT NULL,
	"address_key" text NOT NULL,
	"network" text,
	"tx_hash" text,
	"amount" text,
	"token" text,
	"asset" text,
	"at" timestamp with time zone,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "deposit_notice_tenant_identity_pk" PRIMARY KEY("tenant","identity")
);
--> statement-breakpoint
ALTER TABLE "chain_movement" ADD COLUMN "written_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "deposit_listed" ON "deposit" USING btree ("tenant","at","id");--> statement-breakpoint
CREATE INDEX "deposit_standing" ON "deposit" USING btree ("tenant","standing","at","id");--> statement-breakpoint
CREATE INDEX "deposit_reference" ON "deposit" USING btree ("tenant","reference_hash");--> statement-breakpoint
CREATE INDEX "deposit_address" ON "deposit" USING btree ("tenant","address_key");--> statement-breakpoint
CREATE INDEX "deposit_hash" ON "deposit" USING btree ("tenant",regexp_replace(lower("tx_hash"), '^0x', ''));--> statement-breakpoint
CREATE INDEX "deposit_owner" ON "deposit" USING btree ("tenant","owner_id");--> statement-breakpoint
CREATE INDEX "deposit_swept" ON "deposit" USING btree ("tenant","sweep_wallet_id") WHERE sweep_wallet_id is not null;--> statement-breakpoint
CREATE INDEX "deposit_notice_address" ON "deposit_notice" USING btree ("tenant","address_key");--> statement-breakpoint
CREATE INDEX "deposit_notice_event" ON "deposit_notice" USING btree ("tenant","event_id");--> statement-breakpoint
CREATE INDEX "chain_movement_written" ON "chain_movement" USING btree ("tenant","written_at");