ALTER TABLE "staff" ALTER COLUMN "password_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "staff_session" ALTER COLUMN "created_at" SET DEFAULT clock_timestamp();--> statement-breakpoint
ALTER TABLE "staff_session" ADD COLUMN "ref" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "staff_session" ADD COLUMN "how" text DEFAULT 'password' NOT NULL;--> statement-breakpoint
ALTER TABLE "staff_session" ADD COLUMN "seen_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL;--> statement-breakpoint
ALTER TABLE "staff_session" ADD COLUMN "proven_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL;--> statement-breakpoint
ALTER TABLE "staff_session" ADD COLUMN "second_factor" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "staff_session" ADD COLUMN "browser" text;--> statement-breakpoint
ALTER TABLE "staff_session" ADD COLUMN "system" text;--> statement-breakpoint
ALTER TABLE "staff_session" ADD COLUMN "masked_address" text;--> statement-breakpoint
ALTER TABLE "staff_session" ADD COLUMN "end_reason" text;--> statement-breakpoint
ALTER TABLE "staff_session" ADD COLUMN "ended_by" text;--> statement-breakpoint
CREATE INDEX "staff_session_person" ON "staff_session" USING btree ("staff_id","created_at");