CREATE TABLE "data_key_canary" (
	"id" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL
);
