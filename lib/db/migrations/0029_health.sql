CREATE TABLE "health_incident" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tenant" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"well_since" timestamp with time zone,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "watch_state" ADD COLUMN "interval_ms" integer;--> statement-breakpoint
ALTER TABLE "watch_state" ADD COLUMN "runs_since" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "health_incident_open" ON "health_incident" USING btree ("tenant","kind","subject") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "health_incident_opened" ON "health_incident" USING btree ("tenant","opened_at");