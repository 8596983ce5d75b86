CREATE TABLE "bank_token" (
	"tenant" text NOT NULL,
	"base_url" text NOT NULL,
	"generation" integer NOT NULL,
	"token" text,
	"issued_at" timestamp with time zone,
	"renew_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"is_replacement" boolean DEFAULT false NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"failure_kind" text,
	"failure_code" text,
	"failed_with" text,
	"retry_at" timestamp with time zone,
	CONSTRAINT "bank_token_tenant_base_url_pk" PRIMARY KEY("tenant","base_url")
);
