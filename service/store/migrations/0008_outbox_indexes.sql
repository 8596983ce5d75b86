ALTER TABLE "webhook_event" DROP CONSTRAINT "webhook_event_sequence";--> statement-breakpoint
DROP INDEX "webhook_event_client";--> statement-breakpoint
CREATE INDEX "webhook_event_client" ON "webhook_event" USING btree ("client_id","created_at");