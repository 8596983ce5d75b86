CREATE TABLE "reveal_alarm" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"actor" text NOT NULL,
	"cause" text NOT NULL,
	"reveals" integer NOT NULL,
	"bound" integer NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"owner_id" text,
	"ended_at" timestamp with time zone,
	"ended_by" text,
	"note_sealed" text,
	CONSTRAINT "reveal_alarm_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "reveal_alarm_open" ON "reveal_alarm" USING btree ("tenant","actor") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "reveal_alarm_opened" ON "reveal_alarm" USING btree ("tenant","opened_at");