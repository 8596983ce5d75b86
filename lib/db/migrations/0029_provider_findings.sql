CREATE TABLE "bank_finding" (
	"tenant" text NOT NULL,
	"day" text NOT NULL,
	"operation" text NOT NULL,
	"is" text NOT NULL,
	"field" text NOT NULL,
	"found" text NOT NULL,
	"documented" text NOT NULL,
	"answers" integer NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "bank_finding_pkey" PRIMARY KEY("tenant","day","operation","is","field","found")
);
