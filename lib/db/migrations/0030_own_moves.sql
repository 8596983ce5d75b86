ALTER TABLE "account_entry" ADD COLUMN "is_own" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "chain_movement" ADD COLUMN "is_own" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "wallet" ADD COLUMN "spellings" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "wallet_spellings" ON "wallet" USING gin ("spellings");--> statement-breakpoint
UPDATE wallet SET spellings = CASE family
  WHEN 'EVM' THEN ARRAY[lower(address), regexp_replace(lower(address), '^0x', '')] ELSE ARRAY[lower(address)] END;--> statement-breakpoint
CREATE FUNCTION spell_wallet() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.spellings := ARRAY(SELECT DISTINCT unnest(NEW.spellings || lower(NEW.address)));
  RETURN NEW;
END;
$$;--> statement-breakpoint
CREATE TRIGGER wallet_spellings BEFORE INSERT OR UPDATE OF address, spellings ON wallet
  FOR EACH ROW EXECUTE FUNCTION spell_wallet();--> statement-breakpoint
CREATE FUNCTION chain_family(network text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE network WHEN 'BITCOIN' THEN 'BTC' WHEN 'TRON' THEN 'TRON' WHEN 'SOLANA' THEN 'SOLANA' WHEN 'XRPL' THEN 'XRPL' ELSE 'EVM' END
$$;--> statement-breakpoint
CREATE FUNCTION is_own_address(of_tenant text, on_network text, told text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM wallet WHERE tenant = of_tenant AND family = chain_family(on_network) AND spellings @> ARRAY[lower(told)])
$$;--> statement-breakpoint
-- One who adds a wallet and one who adds a movement with it wait for each other, so that neither misses what the other adds.
CREATE FUNCTION own_movement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('own wallets ' || NEW.tenant));
  NEW.is_own := is_own_address(NEW.tenant, NEW.network, NEW.counter_address);
  RETURN NEW;
END;
$$;--> statement-breakpoint
CREATE TRIGGER chain_movement_own BEFORE INSERT OR UPDATE OF network, counter_address ON chain_movement
  FOR EACH ROW EXECUTE FUNCTION own_movement();--> statement-breakpoint
CREATE FUNCTION own_movements_with(of_tenant text, addresses text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('own wallets ' || of_tenant));
  UPDATE chain_movement AS moved SET is_own = NOT moved.is_own
    WHERE moved.tenant = of_tenant AND lower(moved.counter_address) = ANY (addresses)
      AND moved.is_own <> is_own_address(moved.tenant, moved.network, moved.counter_address);
END;
$$;--> statement-breakpoint
CREATE FUNCTION own_movements_of_wallet() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN PERFORM own_movements_with(NEW.tenant, NEW.spellings);
  ELSIF TG_OP = 'DELETE' THEN PERFORM own_movements_with(OLD.tenant, OLD.spellings);
  ELSIF (OLD.spellings, OLD.family) IS DISTINCT FROM (NEW.spellings, NEW.family) THEN
    PERFORM own_movements_with(NEW.tenant, OLD.spellings || NEW.spellings);
  END IF;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER wallet_own_movements AFTER INSERT OR UPDATE OF address, spellings, family OR DELETE ON wallet
  FOR EACH ROW EXECUTE FUNCTION own_movements_of_wallet();--> statement-breakpoint
UPDATE chain_movement SET is_own = true WHERE is_own_address(tenant, network, counter_address);--> statement-breakpoint
-- An entry is of two own accounts when the other one tells the same transaction the other way, or when it was ordered here between two of them.
CREATE FUNCTION own_entries_of(of_tenant text, id text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(id, '') = '' THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtext('own accounts ' || of_tenant));
  UPDATE account_entry AS one SET is_own = NOT one.is_own
    WHERE one.tenant = of_tenant AND one.transaction_id = id AND one.is_own <> (one.direction IS NOT NULL AND (
      EXISTS (SELECT FROM transfer WHERE transfer.tenant = of_tenant AND transfer.transaction_id = id AND transfer.kind = 'INTERNAL')
      OR EXISTS (SELECT FROM account_entry AS other WHERE other.tenant = of_tenant AND other.transaction_id = id
        AND other.account_ref <> one.account_ref AND other.direction <> one.direction AND other.value = one.value
        AND (other.dropped_at IS NULL OR one.dropped_at IS NOT NULL))));
END;
$$;--> statement-breakpoint
CREATE FUNCTION own_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM own_entries_of(OLD.tenant, OLD.transaction_id); END IF;
  IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND OLD.transaction_id IS DISTINCT FROM NEW.transaction_id) THEN
    PERFORM own_entries_of(NEW.tenant, NEW.transaction_id);
  END IF;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER account_entry_own AFTER INSERT OR DELETE OR UPDATE OF transaction_id, direction, amount, dropped_at ON account_entry
  FOR EACH ROW EXECUTE FUNCTION own_entries();--> statement-breakpoint
CREATE FUNCTION own_entries_of_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.kind = 'INTERNAL' THEN PERFORM own_entries_of(NEW.tenant, NEW.transaction_id); END IF;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER transfer_own_entries AFTER INSERT OR UPDATE OF transaction_id ON transfer
  FOR EACH ROW EXECUTE FUNCTION own_entries_of_transfer();--> statement-breakpoint
UPDATE account_entry AS one SET is_own = true
  WHERE transaction_id <> '' AND direction IS NOT NULL AND (
    EXISTS (SELECT FROM transfer WHERE transfer.tenant = one.tenant AND transfer.transaction_id = one.transaction_id AND transfer.kind = 'INTERNAL')
    OR EXISTS (SELECT FROM account_entry AS other WHERE other.tenant = one.tenant AND other.transaction_id = one.transaction_id
      AND other.account_ref <> one.account_ref AND other.direction <> one.direction AND other.value = one.value
      AND (other.dropped_at IS NULL OR one.dropped_at IS NOT NULL)));
