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
);
--> statement-breakpoint
CREATE TABLE "outcome_exclusion" (
	"tenant" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"candidate" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "outcome_exclusion_tenant_intent_id_candidate_pk" PRIMARY KEY("tenant","intent_id","candidate")
);
--> statement-breakpoint
ALTER TABLE "account_closure" ADD COLUMN "looked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "bank_intent" ADD COLUMN "ended_by" text;--> statement-breakpoint
ALTER TABLE "bank_intent" ADD COLUMN "contradicted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "outcome_conclusion" ADD CONSTRAINT "outcome_conclusion_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcome_conclusion" ADD CONSTRAINT "outcome_conclusion_tenant_intent_id_bank_intent_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."bank_intent"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcome_exclusion" ADD CONSTRAINT "outcome_exclusion_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcome_exclusion" ADD CONSTRAINT "outcome_exclusion_tenant_intent_id_bank_intent_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."bank_intent"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "outcome_conclusion_intent" ON "outcome_conclusion" USING btree ("tenant","intent_id","created_at");--> statement-breakpoint
CREATE INDEX "bank_intent_unresolved" ON "bank_intent" USING btree ("tenant","created_at") WHERE state in ('UNKNOWN', 'HELD') or contradicted_at is not null;--> statement-breakpoint
ALTER TABLE "transfer" DROP COLUMN "to_be_checked_since";