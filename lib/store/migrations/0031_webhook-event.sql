CREATE TABLE "webhook_event" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"seq" bigserial NOT NULL,
	"event" text NOT NULL,
	"event_id" text,
	"body_hash" text NOT NULL,
	"body_sealed" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"is_by_previous_secret" boolean NOT NULL,
	"received_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"last_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"arrivals" integer DEFAULT 1 NOT NULL,
	"other_ids" integer DEFAULT 0 NOT NULL,
	"other_bodies" integer DEFAULT 0 NOT NULL,
	"state" text NOT NULL,
	"wakes" text,
	"hint_key" text,
	"object" text,
	"next_try_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"done_at" timestamp with time zone,
	"failure" text,
	CONSTRAINT "webhook_event_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_event_id" ON "webhook_event" USING btree ("tenant","event_id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_event_body" ON "webhook_event" USING btree ("tenant","body_hash");--> statement-breakpoint
CREATE INDEX "webhook_event_order" ON "webhook_event" USING btree ("tenant","seq");--> statement-breakpoint
CREATE INDEX "webhook_event_state" ON "webhook_event" USING btree ("tenant","state","seq");--> statement-breakpoint
CREATE INDEX "webhook_event_object" ON "webhook_event" USING btree ("tenant","object","seq");--> statement-breakpoint
CREATE INDEX "webhook_event_last" ON "webhook_event" USING btree ("tenant","last_at");--> statement-breakpoint
CREATE INDEX "webhook_event_waiting" ON "webhook_event" USING btree ("tenant","hint_key","seq") WHERE state = 'WAITING';--> statement-breakpoint
CREATE INDEX "webhook_event_done" ON "webhook_event" USING btree ("tenant","hint_key","done_at");--> statement-breakpoint
CREATE INDEX "webhook_event_age" ON "webhook_event" USING btree ("tenant","received_at");