CREATE TABLE "customer_look" (
	"tenant" text NOT NULL,
	"actor" text NOT NULL,
	"object" text NOT NULL,
	"recorded_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "customer_look_tenant_actor_object_pk" PRIMARY KEY("tenant","actor","object")
);
