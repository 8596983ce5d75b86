CREATE TABLE "onboarding_event" (
	"tenant" text NOT NULL,
	"id" bigserial NOT NULL,
	"onboarding_ref" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"kind" text NOT NULL,
	"actor" uuid,
	"detail" jsonb NOT NULL,
	CONSTRAINT "onboarding_event_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
CREATE TABLE "onboarding_link" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant" text NOT NULL,
	"onboarding_ref" uuid NOT NULL,
	"host" text NOT NULL,
	"appeared_at" timestamp with time zone NOT NULL,
	"gone_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "onboarding_reading" (
	"tenant" text NOT NULL,
	"onboarding_ref" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"previous_at" timestamp with time zone,
	CONSTRAINT "onboarding_reading_tenant_onboarding_ref_staff_id_pk" PRIMARY KEY("tenant","onboarding_ref","staff_id")
);
--> statement-breakpoint
ALTER TABLE "onboarding_event" ADD CONSTRAINT "onboarding_event_onboarding_ref_onboarding_id_fk" FOREIGN KEY ("onboarding_ref") REFERENCES "public"."onboarding"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_event" ADD CONSTRAINT "onboarding_event_actor_staff_id_fk" FOREIGN KEY ("actor") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_link" ADD CONSTRAINT "onboarding_link_onboarding_ref_onboarding_id_fk" FOREIGN KEY ("onboarding_ref") REFERENCES "public"."onboarding"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_reading" ADD CONSTRAINT "onboarding_reading_onboarding_ref_onboarding_id_fk" FOREIGN KEY ("onboarding_ref") REFERENCES "public"."onboarding"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_reading" ADD CONSTRAINT "onboarding_reading_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "onboarding_event_one" ON "onboarding_event" USING btree ("tenant","onboarding_ref","id");--> statement-breakpoint
CREATE INDEX "onboarding_link_one" ON "onboarding_link" USING btree ("tenant","onboarding_ref","appeared_at");--> statement-breakpoint
-- What was kept before these columns gets what the rules say of it.
UPDATE "onboarding" SET
  "who_acts" = CASE
    WHEN "status" = 'CONFIRMED' THEN 'nobody'
    WHEN "messages" @> '[{"actionRequired": true}]'::jsonb THEN 'holder'
    WHEN "status" <> 'PROCESSING' THEN 'us'
    WHEN "biometric_url" IS NOT NULL THEN 'holder'
    ELSE 'provider' END,
  "stage" = CASE
    WHEN "status" = 'CONFIRMED' THEN 'done'
    WHEN "status" = 'PROCESSING' AND "biometric_url" IS NOT NULL THEN 'biometrics'
    WHEN (SELECT m ->> 'id' FROM jsonb_array_elements("messages") WITH ORDINALITY AS e(m, n)
      ORDER BY m ->> 'date' COLLATE "C" DESC, n DESC LIMIT 1) = 'onboarding-biometrics' THEN 'biometrics'
    ELSE 'background-check' END;--> statement-breakpoint
INSERT INTO "onboarding_link" ("id", "tenant", "onboarding_ref", "host", "appeared_at")
  SELECT gen_random_uuid(), "tenant", "id", coalesce(substring("biometric_url" FROM '^[A-Za-z]+://(?:[^/?#]*@)?([^/?#@]+)'), ''), "changed_at"
  FROM "onboarding" WHERE "biometric_url" IS NOT NULL;
