CREATE TABLE "reveal" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant" text NOT NULL,
	"actor" text NOT NULL,
	"object" text NOT NULL,
	"reason" text NOT NULL,
	"note_sealed" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "reveal_actor" ON "reveal" USING btree ("tenant","actor","created_at");--> statement-breakpoint
CREATE INDEX "reveal_object" ON "reveal" USING btree ("tenant","object","created_at");