CREATE TABLE "password_link" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"tenant" text NOT NULL,
	"issued_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "password_link" ADD CONSTRAINT "password_link_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "password_link_person" ON "password_link" USING btree ("staff_id");--> statement-breakpoint
ALTER TABLE "staff_totp" DROP COLUMN "tries";--> statement-breakpoint
ALTER TABLE "staff_totp" DROP COLUMN "tried_at";