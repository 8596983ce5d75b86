ALTER TABLE "account" ADD COLUMN "document_mask" text;--> statement-breakpoint
ALTER TABLE "onboarding" ADD COLUMN "document_mask" text;--> statement-breakpoint
CREATE INDEX "account_mask" ON "account" USING btree ("tenant","document_mask");--> statement-breakpoint
CREATE INDEX "onboarding_mask" ON "onboarding" USING btree ("tenant","document_mask");