ALTER TABLE "transfer" ADD COLUMN "end_to_end_id" text;--> statement-breakpoint
ALTER TABLE "transfer" ADD COLUMN "return_id" text;--> statement-breakpoint
ALTER TABLE "transfer" ADD COLUMN "returned_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "transfer" ADD COLUMN "return_read_at" timestamp with time zone;