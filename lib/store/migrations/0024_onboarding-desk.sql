ALTER TABLE "onboarding" ADD COLUMN "trace_id" text;--> statement-breakpoint
ALTER TABLE "onboarding" ADD COLUMN "kind" text GENERATED ALWAYS AS (case when length(substring(document_sealed from '[^.]*$')) <= 52 then 'PF' else 'PJ' end) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "onboarding" ADD COLUMN "stage" text DEFAULT 'background-check' NOT NULL;--> statement-breakpoint
ALTER TABLE "onboarding" ADD COLUMN "who_acts" text DEFAULT 'provider' NOT NULL;--> statement-breakpoint
ALTER TABLE "onboarding" ADD COLUMN "returns" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "onboarding" ADD COLUMN "previous_id" uuid;--> statement-breakpoint
ALTER TABLE "onboarding" ADD COLUMN "asked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "onboarding" ADD CONSTRAINT "onboarding_previous_id_onboarding_id_fk" FOREIGN KEY ("previous_id") REFERENCES "public"."onboarding"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "onboarding_previous" ON "onboarding" USING btree ("previous_id");--> statement-breakpoint
CREATE INDEX "onboarding_account" ON "onboarding" USING btree ("tenant","account_id");--> statement-breakpoint
CREATE INDEX "onboarding_order" ON "onboarding" USING btree ("tenant","first_seen_at","seq");