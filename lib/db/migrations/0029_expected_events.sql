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
CREATE INDEX "expected_event_order" ON "expected_event" USING btree ("tenant","seq");--> statement-breakpoint
CREATE INDEX "expected_event_state" ON "expected_event" USING btree ("tenant","state","seq");--> statement-breakpoint
CREATE INDEX "expected_event_object" ON "expected_event" USING btree ("tenant","object");--> statement-breakpoint
CREATE INDEX "expected_event_ref" ON "expected_event" USING btree ("tenant","event_ref");--> statement-breakpoint
CREATE INDEX "expected_event_age" ON "expected_event" USING btree ("tenant","seen_at");