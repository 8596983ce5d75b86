CREATE TABLE "kyc_put_off" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"kyc_uuid" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"ended_at" timestamp with time zone,
	"ending" text,
	CONSTRAINT "kyc_put_off_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
DROP INDEX "kyc_case_open_clock";--> statement-breakpoint
ALTER TABLE "kyc_case" ADD COLUMN "put_off_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "kyc_case" ADD COLUMN "is_put_off" boolean GENERATED ALWAYS AS (put_off_until is not null) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "kyc_case_count" ADD COLUMN "is_put_off" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "kyc_put_off" ADD CONSTRAINT "kyc_put_off_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_put_off" ADD CONSTRAINT "kyc_put_off_tenant_kyc_uuid_kyc_case_tenant_kyc_uuid_fk" FOREIGN KEY ("tenant","kyc_uuid") REFERENCES "public"."kyc_case"("tenant","kyc_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "kyc_put_off_case" ON "kyc_put_off" USING btree ("tenant","kyc_uuid","created_at");--> statement-breakpoint
CREATE INDEX "kyc_case_put_off" ON "kyc_case" USING btree ("tenant","put_off_until") WHERE put_off_until is not null;--> statement-breakpoint
CREATE INDEX "kyc_case_open_clock" ON "kyc_case" USING btree ("tenant",coalesce(due_at, 'infinity'),"seq","due_at","assignee_id","first_seen_at","is_put_off") WHERE status not in ('APPROVED', 'REPROVED');--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_added_cases() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kyc_case_count (tenant, status, kyc_type, process, assignee_id, is_put_off, cases)
    SELECT tenant, status, kyc_type, process, assignee_id, is_put_off, count(*) FROM added GROUP BY 1, 2, 3, 4, 5, 6;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_removed_cases() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kyc_case_count (tenant, status, kyc_type, process, assignee_id, is_put_off, cases)
    SELECT tenant, status, kyc_type, process, assignee_id, is_put_off, -count(*) FROM removed GROUP BY 1, 2, 3, 4, 5, 6;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_changed_cases() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kyc_case_count (tenant, status, kyc_type, process, assignee_id, is_put_off, cases)
    SELECT tenant, status, kyc_type, process, assignee_id, is_put_off, sum(cases) FROM (
      SELECT tenant, status, kyc_type, process, assignee_id, is_put_off, 1 AS cases FROM added
      UNION ALL
      SELECT tenant, status, kyc_type, process, assignee_id, is_put_off, -1 FROM removed
    ) changed GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(cases) <> 0;
  RETURN NULL;
END;
$$;
