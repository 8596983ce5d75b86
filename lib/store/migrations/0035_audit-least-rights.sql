-- Who works with the record may only add to it: numbering, chaining and holding its end are its owner's to do.
ALTER FUNCTION chain_audit_event() SECURITY DEFINER SET search_path = public, pg_temp;
--> statement-breakpoint
CREATE FUNCTION audit_hold(tenants text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM audit_head WHERE tenant = ANY (tenants) ORDER BY tenant COLLATE "C" FOR UPDATE;
END;
$$;
