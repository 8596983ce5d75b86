ALTER TABLE "account" ALTER COLUMN "standing" SET DEFAULT 'UNKNOWN';--> statement-breakpoint
UPDATE "account" SET "standing" = 'UNKNOWN' WHERE "standing" = 'UNTOLD';--> statement-breakpoint
UPDATE "saved_view" SET "search" = regexp_replace(regexp_replace("search", '(^|&)sought=', '\1search='), '(^|&)like=', '\1sameDocumentAs=');
