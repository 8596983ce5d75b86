CREATE TABLE "mail_notice" (
	"tenant" text NOT NULL,
	"subject" text NOT NULL,
	"object" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"claimed_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"ended_as" text,
	CONSTRAINT "mail_notice_tenant_subject_object_staff_id_pk" PRIMARY KEY("tenant","subject","object","staff_id")
);
--> statement-breakpoint
CREATE TABLE "mail_settings" (
	"staff_id" uuid PRIMARY KEY NOT NULL,
	"off" text[] DEFAULT '{}' NOT NULL,
	"locale" text
);
--> statement-breakpoint
ALTER TABLE "mail_notice" ADD CONSTRAINT "mail_notice_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_settings" ADD CONSTRAINT "mail_settings_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_notice_open" ON "mail_notice" USING btree ("tenant","due_at") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "mail_notice_sent" ON "mail_notice" USING btree ("tenant","staff_id","subject","ended_at");