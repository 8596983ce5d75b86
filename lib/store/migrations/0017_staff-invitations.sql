CREATE TABLE "staff_invitation" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant" text NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"roles" text[] NOT NULL,
	"token_hash" text NOT NULL,
	"invited_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "staff_membership" ADD COLUMN "disabled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "staff_membership" ADD COLUMN "joined_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL;--> statement-breakpoint
-- Who was here before joined when their account was made: nothing nearer is known.
UPDATE "staff_membership" SET "joined_at" = "staff"."created_at" FROM "staff" WHERE "staff"."id" = "staff_membership"."staff_id";--> statement-breakpoint
CREATE UNIQUE INDEX "staff_invitation_token" ON "staff_invitation" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_invitation_open" ON "staff_invitation" USING btree ("tenant",lower("email")) WHERE "staff_invitation"."accepted_at" is null and "staff_invitation"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "staff_invitation_tenant" ON "staff_invitation" USING btree ("tenant","created_at");--> statement-breakpoint
CREATE INDEX "staff_membership_tenant" ON "staff_membership" USING btree ("tenant");