CREATE TABLE "tenant_setting" (
	"tenant" text NOT NULL,
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"value" jsonb NOT NULL,
	"actor" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "tenant_setting_tenant_name_version_pk" PRIMARY KEY("tenant","name","version")
);
