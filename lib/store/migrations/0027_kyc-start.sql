CREATE TABLE "draft" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"form" text NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"fields_sealed" text,
	"saved_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "draft_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
CREATE TABLE "kyc_start" (
	"tenant" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"kyc_type" text NOT NULL,
	"model" text NOT NULL,
	"documentscopy" boolean NOT NULL,
	"document_hash" text NOT NULL,
	"document_sealed" text NOT NULL,
	"subject_sealed" text NOT NULL,
	"is_repeat" boolean NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"kyc_uuid" text,
	"waived_by" uuid,
	"waived_at" timestamp with time zone,
	CONSTRAINT "kyc_start_tenant_intent_id_pk" PRIMARY KEY("tenant","intent_id")
);
--> statement-breakpoint
CREATE TABLE "kyc_start_member" (
	"tenant" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"owner_type" text NOT NULL,
	"document_hash" text NOT NULL,
	"document_sealed" text NOT NULL,
	"subject_sealed" text NOT NULL,
	CONSTRAINT "kyc_start_member_tenant_intent_id_position_pk" PRIMARY KEY("tenant","intent_id","position")
);
--> statement-breakpoint
ALTER TABLE "draft" ADD CONSTRAINT "draft_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_start" ADD CONSTRAINT "kyc_start_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_start" ADD CONSTRAINT "kyc_start_waived_by_staff_id_fk" FOREIGN KEY ("waived_by") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_start" ADD CONSTRAINT "kyc_start_tenant_intent_id_bank_intent_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."bank_intent"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_start_member" ADD CONSTRAINT "kyc_start_member_tenant_intent_id_kyc_start_tenant_intent_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."kyc_start"("tenant","intent_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "draft_owner" ON "draft" USING btree ("tenant","staff_id","form");--> statement-breakpoint
CREATE UNIQUE INDEX "kyc_start_case" ON "kyc_start" USING btree ("tenant","kyc_uuid");--> statement-breakpoint
CREATE INDEX "kyc_start_document" ON "kyc_start" USING btree ("tenant","document_hash","created_at");--> statement-breakpoint
CREATE INDEX "kyc_start_open" ON "kyc_start" USING btree ("tenant","created_at") WHERE kyc_uuid is null;--> statement-breakpoint
CREATE INDEX "kyc_start_member_document" ON "kyc_start_member" USING btree ("tenant","document_hash");