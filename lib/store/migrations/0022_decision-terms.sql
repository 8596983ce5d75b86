ALTER TABLE "kyc_decision" ADD COLUMN "reason_code" text;--> statement-breakpoint
ALTER TABLE "kyc_decision" ADD COLUMN "rules_version" integer;--> statement-breakpoint
ALTER TABLE "kyc_decision" ADD COLUMN "note_sealed" text;--> statement-breakpoint
ALTER TABLE "kyc_decision" ADD COLUMN "checklist" jsonb DEFAULT '[]'::jsonb NOT NULL;