CREATE TABLE "casework_piece" (
	"tenant" text NOT NULL,
	"upload_id" uuid NOT NULL,
	"nth" integer NOT NULL,
	"file_id" uuid,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "casework_piece_tenant_upload_id_nth_pk" PRIMARY KEY("tenant","upload_id","nth")
);
--> statement-breakpoint
DROP INDEX "webhook_event_body";--> statement-breakpoint
ALTER TABLE "approval_policy" ADD COLUMN "tenant_sum" text;--> statement-breakpoint
ALTER TABLE "approval_policy" ADD COLUMN "first_sum" text;--> statement-breakpoint
ALTER TABLE "casework_piece" ADD CONSTRAINT "casework_piece_tenant_file_id_casework_content_tenant_file_id_fk" FOREIGN KEY ("tenant","file_id") REFERENCES "public"."casework_content"("tenant","file_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "casework_piece_of" ON "casework_piece" USING btree ("tenant","file_id");--> statement-breakpoint
CREATE INDEX "webhook_event_same_body" ON "webhook_event" USING btree ("tenant","body_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_event_body" ON "webhook_event" USING btree ("tenant","body_hash") WHERE event_id is null;
--> statement-breakpoint
-- Sealed bytes do not compress, and trying to takes longer than storing them.
ALTER TABLE "casework_piece" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
