ALTER TABLE "chain_movement" ADD COLUMN "is_dated" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "chain_movement" ADD COLUMN "status" text;--> statement-breakpoint
ALTER TABLE "chain_movement" ADD COLUMN "dropped_at" timestamp with time zone;