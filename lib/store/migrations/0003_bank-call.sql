CREATE TABLE "bank_call" (
	"seq" bigserial PRIMARY KEY NOT NULL,
	"tenant" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"request_id" text NOT NULL,
	"provider_request_id" text,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status" integer,
	"kind" text NOT NULL,
	"code" text,
	"duration_ms" integer NOT NULL,
	"waited_ms" integer NOT NULL,
	"lane" text NOT NULL,
	"attempt" integer NOT NULL,
	"actor" text NOT NULL,
	"object" text
);
--> statement-breakpoint
CREATE INDEX "bank_call_newest" ON "bank_call" USING btree ("tenant","at","seq");--> statement-breakpoint
CREATE INDEX "bank_call_path" ON "bank_call" USING btree ("tenant","path","at","seq");--> statement-breakpoint
CREATE INDEX "bank_call_actor" ON "bank_call" USING btree ("tenant","actor","at","seq");--> statement-breakpoint
CREATE INDEX "bank_call_request" ON "bank_call" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "bank_call_object" ON "bank_call" USING btree ("tenant","object","at","seq") WHERE object is not null;--> statement-breakpoint
CREATE INDEX "bank_call_failed" ON "bank_call" USING btree ("tenant","at","seq") WHERE kind <> 'ok';--> statement-breakpoint
CREATE INDEX "bank_call_kind" ON "bank_call" USING btree ("tenant","kind","at","seq") WHERE kind <> 'ok';--> statement-breakpoint
CREATE INDEX "bank_call_slow" ON "bank_call" USING btree ("tenant","at","seq") WHERE duration_ms >= 1000;--> statement-breakpoint
CREATE INDEX "bank_call_money" ON "bank_call" USING btree ("tenant","at","seq") WHERE lane = 'money';