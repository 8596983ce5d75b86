CREATE TABLE "movement_chunk" (
	"tenant" text NOT NULL,
	"export_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"nth" integer NOT NULL,
	"key_sealed" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "movement_chunk_tenant_export_id_position_nth_pk" PRIMARY KEY("tenant","export_id","position","nth")
);
--> statement-breakpoint
CREATE TABLE "movement_export" (
	"tenant" text NOT NULL,
	"id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"format" text NOT NULL,
	"from_day" text NOT NULL,
	"to_day" text NOT NULL,
	"scope" text NOT NULL,
	"locale" text NOT NULL,
	"state" text DEFAULT 'WAITING' NOT NULL,
	"planned_calls" integer NOT NULL,
	"planned_minutes" integer NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"totals" jsonb,
	"sha256" text,
	"size_bytes" bigint,
	CONSTRAINT "movement_export_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
CREATE TABLE "movement_source" (
	"tenant" text NOT NULL,
	"export_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"kind" text NOT NULL,
	"ref" text NOT NULL,
	"label" text NOT NULL,
	"state" text DEFAULT 'WAITING' NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"why" text,
	"read_at" timestamp with time zone,
	"totals" jsonb,
	"file_name" text,
	"size_bytes" bigint,
	"crc32" bigint,
	CONSTRAINT "movement_source_tenant_export_id_position_pk" PRIMARY KEY("tenant","export_id","position")
);
--> statement-breakpoint
CREATE TABLE "position_rate" (
	"tenant" text NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"network" text NOT NULL,
	"asset" text NOT NULL,
	"token" text NOT NULL,
	"value" numeric NOT NULL,
	"day" date NOT NULL,
	"source" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "position_rate_tenant_id_pk" PRIMARY KEY("tenant","id")
);
--> statement-breakpoint
CREATE TABLE "position_reading" (
	"tenant" text NOT NULL,
	"day" date NOT NULL,
	"subject" text NOT NULL,
	"network" text NOT NULL,
	"kind" text NOT NULL,
	"figures" jsonb,
	"read_at" timestamp with time zone,
	"attempts" integer NOT NULL,
	"tried_at" timestamp with time zone NOT NULL,
	CONSTRAINT "position_reading_tenant_day_subject_network_pk" PRIMARY KEY("tenant","day","subject","network")
);
--> statement-breakpoint
CREATE TABLE "position_round" (
	"tenant" text NOT NULL,
	"day" date NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"total" integer NOT NULL,
	"tried" integer NOT NULL,
	"failed" integer NOT NULL,
	"outside" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "position_round_tenant_day_pk" PRIMARY KEY("tenant","day")
);
--> statement-breakpoint
CREATE TABLE "position_sum" (
	"tenant" text NOT NULL,
	"day" date NOT NULL,
	"network" text NOT NULL,
	"asset" text NOT NULL,
	"token" text NOT NULL,
	"kind" text NOT NULL,
	"part" text NOT NULL,
	"amount" numeric,
	"readings" integer NOT NULL,
	"unread" integer NOT NULL,
	"oldest_at" timestamp with time zone,
	CONSTRAINT "position_sum_tenant_day_network_asset_token_kind_part_pk" PRIMARY KEY("tenant","day","network","asset","token","kind","part")
);
--> statement-breakpoint
ALTER TABLE "movement_chunk" ADD CONSTRAINT "movement_chunk_tenant_export_id_movement_export_tenant_id_fk" FOREIGN KEY ("tenant","export_id") REFERENCES "public"."movement_export"("tenant","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "movement_export" ADD CONSTRAINT "movement_export_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "movement_source" ADD CONSTRAINT "movement_source_tenant_export_id_movement_export_tenant_id_fk" FOREIGN KEY ("tenant","export_id") REFERENCES "public"."movement_export"("tenant","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "position_rate" ADD CONSTRAINT "position_rate_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "position_reading" ADD CONSTRAINT "position_reading_tenant_day_position_round_tenant_day_fk" FOREIGN KEY ("tenant","day") REFERENCES "public"."position_round"("tenant","day") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "movement_export_listed" ON "movement_export" USING btree ("tenant","created_at");--> statement-breakpoint
CREATE INDEX "movement_export_open" ON "movement_export" USING btree ("tenant","created_at") WHERE state in ('WAITING', 'RUNNING');--> statement-breakpoint
CREATE INDEX "position_rate_of" ON "position_rate" USING btree ("tenant","network","asset","token","day");