ALTER TABLE "account" ADD COLUMN "kind" text GENERATED ALWAYS AS (case when length(substring(document_sealed from '[^.]*$')) <= 52 then 'PF' else 'PJ' end) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "holder" text;--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "status_word" text;--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "standing" text DEFAULT 'UNTOLD' NOT NULL;--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "told_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "created_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "balance" numeric;--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "blocked_balance" numeric;--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "balance_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "account_opened" ON "account" USING btree ("tenant","created_at","ref");--> statement-breakpoint
CREATE INDEX "account_standing" ON "account" USING btree ("tenant","standing","created_at","ref");