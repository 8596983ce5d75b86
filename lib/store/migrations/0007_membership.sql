CREATE TABLE "staff_membership" (
	"staff_id" uuid NOT NULL,
	"tenant" text NOT NULL,
	"roles" text[] NOT NULL,
	CONSTRAINT "staff_membership_staff_id_tenant_pk" PRIMARY KEY("staff_id","tenant")
);
--> statement-breakpoint
ALTER TABLE "staff_membership" ADD CONSTRAINT "staff_membership_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- The record knows where a person belongs: every tenant they were added at or have signed in at.
INSERT INTO "staff_membership" ("staff_id", "tenant", "roles")
  SELECT DISTINCT person."id", event."tenant", person."roles"
  FROM "staff" person
  JOIN "audit_event" event
    ON (event."code" = 'staff.add' AND event."object" = 'staff:' || person."id")
    OR (event."code" = 'session.open' AND event."outcome" = 'DONE' AND event."actor" = person."id"::text);
--> statement-breakpoint
ALTER TABLE "staff" DROP COLUMN "roles";--> statement-breakpoint
ALTER TABLE "staff_session" ADD COLUMN "tenant" text;--> statement-breakpoint
UPDATE "staff_session" AS session
  SET "tenant" = (
    SELECT event."tenant" FROM "audit_event" event
    WHERE event."code" = 'session.open' AND event."outcome" = 'DONE' AND event."actor" = session."staff_id"::text
    ORDER BY event."seq" DESC LIMIT 1
  );
--> statement-breakpoint
DELETE FROM "staff_session" WHERE "tenant" IS NULL;--> statement-breakpoint
ALTER TABLE "staff_session" ALTER COLUMN "tenant" SET NOT NULL;
