CREATE TABLE "receiver_drill" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"began_at" timestamp with time zone NOT NULL,
	"until_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by" text,
	CONSTRAINT "receiver_drill_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "is_exposed" boolean;--> statement-breakpoint
ALTER TABLE "onboarding_request" ADD COLUMN "is_exposed" boolean;--> statement-breakpoint
ALTER TABLE "receiver_drill" ADD CONSTRAINT "receiver_drill_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "receiver_drill_listed" ON "receiver_drill" USING btree ("tenant","began_at");--> statement-breakpoint
ALTER TABLE "webhook_event" DROP COLUMN "other_ids";