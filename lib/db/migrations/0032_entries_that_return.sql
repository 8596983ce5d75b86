ALTER TABLE "account_entry" ADD COLUMN "return_of" text;--> statement-breakpoint
CREATE INDEX "account_entry_return" ON "account_entry" USING btree ("tenant","return_of") WHERE return_of is not null;