CREATE TABLE "access_review" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"people" integer NOT NULL,
	"note_sealed" text NOT NULL,
	"next_on" date NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "access_review_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
ALTER TABLE "access_review" ADD CONSTRAINT "access_review_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;