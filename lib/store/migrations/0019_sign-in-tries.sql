CREATE TABLE "sign_in_try" (
	"key" text PRIMARY KEY NOT NULL,
	"tries" integer NOT NULL,
	"tried_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "staff_address" (
	"staff_id" uuid NOT NULL,
	"address_hash" text NOT NULL,
	"seen_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "staff_address_staff_id_address_hash_pk" PRIMARY KEY("staff_id","address_hash")
);
--> statement-breakpoint
ALTER TABLE "staff_address" ADD CONSTRAINT "staff_address_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sign_in_try_at" ON "sign_in_try" USING btree ("tried_at");