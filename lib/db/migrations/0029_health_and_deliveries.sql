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
CREATE TABLE "bank_finding" (
	"tenant" text NOT NULL,
	"day" text NOT NULL,
	"operation" text NOT NULL,
	"is" text NOT NULL,
	"field" text NOT NULL,
	"found" text NOT NULL,
	"documented" text NOT NULL,
	"answers" integer NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "bank_finding_pkey" PRIMARY KEY("tenant","day","operation","is","field","found")
);
--> statement-breakpoint
CREATE TABLE "expected_event" (
	"tenant" text NOT NULL,
	"key" text NOT NULL,
	"seq" bigserial NOT NULL,
	"event" text NOT NULL,
	"change" text NOT NULL,
	"object" text NOT NULL,
	"mark" text,
	"seen_at" timestamp with time zone NOT NULL,
	"state" text DEFAULT 'EXPECTED' NOT NULL,
	"event_ref" uuid,
	"arrived_at" timestamp with time zone,
	CONSTRAINT "expected_event_tenant_key_pk" PRIMARY KEY("tenant","key")
);
--> statement-breakpoint
CREATE TABLE "webhook_refusal" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"seq" bigserial NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"why" text NOT NULL,
	"form" text,
	"event" text NOT NULL,
	"event_id" text,
	"headers" jsonb NOT NULL,
	"size_bytes" integer,
	"fingerprint" text,
	CONSTRAINT "webhook_refusal_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_replay" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"filter" text NOT NULL,
	"state" text DEFAULT 'RUNNING' NOT NULL,
	"deliveries" integer NOT NULL,
	"planned_calls" integer NOT NULL,
	"planned_minutes" integer NOT NULL,
	"finished_at" timestamp with time zone,
	"stopped_by" uuid,
	CONSTRAINT "webhook_replay_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_replay_item" (
	"tenant" text NOT NULL,
	"replay_id" uuid NOT NULL,
	"delivery_id" uuid NOT NULL,
	"seq" bigserial NOT NULL,
	"hint_key" text NOT NULL,
	"state" text DEFAULT 'WAITING' NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"next_try_at" timestamp with time zone NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"done_at" timestamp with time zone,
	CONSTRAINT "webhook_replay_item_tenant_replay_id_delivery_id_pk" PRIMARY KEY("tenant","replay_id","delivery_id")
);
--> statement-breakpoint
ALTER TABLE "watch_state" ADD COLUMN "interval_ms" integer;--> statement-breakpoint
ALTER TABLE "watch_state" ADD COLUMN "runs_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhook_event" ADD COLUMN "headers" jsonb;--> statement-breakpoint
ALTER TABLE "webhook_replay" ADD CONSTRAINT "webhook_replay_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_replay" ADD CONSTRAINT "webhook_replay_stopped_by_staff_id_fk" FOREIGN KEY ("stopped_by") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_replay_item" ADD CONSTRAINT "webhook_replay_item_replay" FOREIGN KEY ("tenant","replay_id") REFERENCES "public"."webhook_replay"("tenant","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "health_incident_open" ON "health_incident" USING btree ("tenant","kind","subject") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "health_incident_opened" ON "health_incident" USING btree ("tenant","opened_at");--> statement-breakpoint
CREATE INDEX "expected_event_order" ON "expected_event" USING btree ("tenant","seq");--> statement-breakpoint
CREATE INDEX "expected_event_state" ON "expected_event" USING btree ("tenant","state","seq");--> statement-breakpoint
CREATE INDEX "expected_event_object" ON "expected_event" USING btree ("tenant","object");--> statement-breakpoint
CREATE INDEX "expected_event_ref" ON "expected_event" USING btree ("tenant","event_ref");--> statement-breakpoint
CREATE INDEX "expected_event_age" ON "expected_event" USING btree ("tenant","seen_at");--> statement-breakpoint
CREATE INDEX "webhook_refusal_order" ON "webhook_refusal" USING btree ("tenant","seq");--> statement-breakpoint
CREATE INDEX "webhook_refusal_event" ON "webhook_refusal" USING btree ("tenant","event_id");--> statement-breakpoint
CREATE INDEX "webhook_replay_listed" ON "webhook_replay" USING btree ("tenant","created_at");--> statement-breakpoint
CREATE INDEX "webhook_replay_open" ON "webhook_replay" USING btree ("tenant") WHERE state = 'RUNNING';--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_replay_once" ON "webhook_replay_item" USING btree ("tenant","delivery_id") WHERE state = 'WAITING';--> statement-breakpoint
CREATE INDEX "webhook_replay_item_delivery" ON "webhook_replay_item" USING btree ("tenant","delivery_id");--> statement-breakpoint
CREATE INDEX "webhook_replay_item_waiting" ON "webhook_replay_item" USING btree ("tenant","hint_key","seq") WHERE state = 'WAITING';