CREATE TABLE "payee" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"destination_sealed" text NOT NULL,
	"destination_hash" text NOT NULL,
	"details_sealed" text,
	"saved_at" timestamp with time zone NOT NULL,
	"paid_at" timestamp with time zone,
	CONSTRAINT "payee_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
ALTER TABLE "approval_policy" ADD COLUMN "person_sum" text;--> statement-breakpoint
ALTER TABLE "approval_policy" ADD COLUMN "person_count" integer;--> statement-breakpoint
ALTER TABLE "approval_policy" ADD COLUMN "payee_sum" text;--> statement-breakpoint
ALTER TABLE "approval_policy" ADD COLUMN "payee_count" integer;--> statement-breakpoint
ALTER TABLE "transfer" ADD COLUMN "payee_hash" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "payee_destination" ON "payee" USING btree ("tenant","destination_hash");--> statement-breakpoint
CREATE INDEX "transfer_day" ON "transfer" USING btree ("tenant","created_at");