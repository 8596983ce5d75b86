ALTER TABLE "approval_policy" ADD COLUMN "tenant_sum" text;--> statement-breakpoint
ALTER TABLE "approval_policy" ADD COLUMN "first_sum" text;