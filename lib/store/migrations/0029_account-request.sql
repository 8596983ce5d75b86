CREATE TABLE "onboarding_request" (
	"tenant" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"document_hash" text NOT NULL,
	"document_sealed" text NOT NULL,
	"form_sealed" text NOT NULL,
	"is_repeat" boolean NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"previous_ref" uuid,
	"after_seq" bigint,
	"onboarding_ref" uuid,
	"looked_at" timestamp with time zone,
	"waived_by" uuid,
	"waived_at" timestamp with time zone,
	CONSTRAINT "onboarding_request_tenant_intent_id_pk" PRIMARY KEY("tenant","intent_id")
);
--> statement-breakpoint
ALTER TABLE "onboarding_request" ADD CONSTRAINT "onboarding_request_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_request" ADD CONSTRAINT "onboarding_request_previous_ref_onboarding_id_fk" FOREIGN KEY ("previous_ref") REFERENCES "public"."onboarding"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_request" ADD CONSTRAINT "onboarding_request_onboarding_ref_onboarding_id_fk" FOREIGN KEY ("onboarding_ref") REFERENCES "public"."onboarding"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_request" ADD CONSTRAINT "onboarding_request_waived_by_staff_id_fk" FOREIGN KEY ("waived_by") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_request" ADD CONSTRAINT "onboarding_request_tenant_intent_id_bank_intent_tenant_id_fk" FOREIGN KEY ("tenant","intent_id") REFERENCES "public"."bank_intent"("tenant","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "onboarding_request_onboarding" ON "onboarding_request" USING btree ("onboarding_ref");--> statement-breakpoint
CREATE INDEX "onboarding_request_document" ON "onboarding_request" USING btree ("tenant","document_hash","created_at");--> statement-breakpoint
CREATE INDEX "onboarding_request_open" ON "onboarding_request" USING btree ("tenant","created_at") WHERE onboarding_ref is null;