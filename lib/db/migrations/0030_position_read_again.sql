ALTER TABLE "position_reading" ADD COLUMN "is_unanswered" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "position_round" ADD COLUMN "oldest_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "position_round" ADD COLUMN "newest_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "position_round" ADD COLUMN "again_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "position_round" ADD COLUMN "again_finished_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "position_round" ADD COLUMN "again_tried" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "position_round" ADD COLUMN "again_failed" integer DEFAULT 0 NOT NULL;