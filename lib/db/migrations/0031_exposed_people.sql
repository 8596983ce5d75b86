ALTER TABLE "account" ADD COLUMN "is_exposed" boolean;--> statement-breakpoint
ALTER TABLE "onboarding_request" ADD COLUMN "is_exposed" boolean;