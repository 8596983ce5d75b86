DROP INDEX "webhook_event_due";--> statement-breakpoint
DROP INDEX "webhook_event_client";--> statement-breakpoint
ALTER TABLE "webhook_event" ADD COLUMN "sequence" bigserial NOT NULL;--> statement-breakpoint
CREATE INDEX "webhook_event_waiting" ON "webhook_event" USING btree ("client_id","sequence","due_at") WHERE "webhook_event"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "webhook_event_due" ON "webhook_event" USING btree ("due_at") WHERE "webhook_event"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "webhook_event_client" ON "webhook_event" USING btree ("client_id","sequence");--> statement-breakpoint
ALTER TABLE "webhook_event" DROP COLUMN "leased_until";--> statement-breakpoint
ALTER TABLE "webhook_event" DROP COLUMN "lease_number";--> statement-breakpoint
ALTER TABLE "webhook_event" ADD CONSTRAINT "webhook_event_sequence" UNIQUE("sequence");