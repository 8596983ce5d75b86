CREATE TABLE "live_event" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"tenant" text NOT NULL,
	"topic" text NOT NULL,
	"object" text,
	"as_of" timestamp with time zone,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "watch_state" ADD COLUMN "begun_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "watch_state" ADD COLUMN "memory" jsonb;--> statement-breakpoint
CREATE INDEX "live_event_at" ON "live_event" USING btree ("at");