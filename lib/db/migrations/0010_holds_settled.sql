ALTER TABLE "transfer" ADD COLUMN "decided_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "transfer" ADD COLUMN "candidate_id" text;