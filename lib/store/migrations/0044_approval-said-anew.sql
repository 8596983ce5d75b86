-- What a person said became of it may be said anew, once the provider has shown otherwise: nothing else moves what has ended.
CREATE OR REPLACE FUNCTION keep_approval_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'an approval is never removed';
  END IF;
  IF (NEW.tenant, NEW.id, NEW.kind, NEW.permission, NEW.intent_id, NEW.object, NEW.is_exclusive, NEW.body_hash,
      NEW.policy_version, NEW.maker_id, NEW.created_at, NEW.expires_at)
    IS DISTINCT FROM
     (OLD.tenant, OLD.id, OLD.kind, OLD.permission, OLD.intent_id, OLD.object, OLD.is_exclusive, OLD.body_hash,
      OLD.policy_version, OLD.maker_id, OLD.created_at, OLD.expires_at) THEN
    RAISE EXCEPTION 'what was proposed is frozen';
  END IF;
  IF OLD.state <> 'PENDING' AND (NEW.decider_id, NEW.decided_at) IS DISTINCT FROM (OLD.decider_id, OLD.decided_at) THEN
    RAISE EXCEPTION 'an approval is decided once';
  END IF;
  IF NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
    ('PENDING', 'READY'), ('PENDING', 'AUTHORISED'), ('PENDING', 'REFUSED'), ('PENDING', 'WITHDRAWN'), ('PENDING', 'EXPIRED'),
    ('READY', 'AUTHORISED'), ('READY', 'WITHDRAWN'), ('READY', 'EXPIRED'), ('READY', 'FAILED'),
    ('AUTHORISED', 'READY'), ('AUTHORISED', 'EXECUTED'), ('AUTHORISED', 'HELD'), ('AUTHORISED', 'FAILED'), ('AUTHORISED', 'UNKNOWN'),
    ('UNKNOWN', 'EXECUTED'), ('UNKNOWN', 'HELD'), ('UNKNOWN', 'FAILED'), ('HELD', 'EXECUTED'), ('HELD', 'FAILED')
  ) AND NOT (
    (OLD.state, NEW.state) IN (('EXECUTED', 'FAILED'), ('FAILED', 'EXECUTED'))
    AND EXISTS (SELECT 1 FROM bank_intent
      WHERE bank_intent.tenant = NEW.tenant AND bank_intent.id = NEW.intent_id AND bank_intent.ended_by IS NOT NULL)
  ) THEN
    RAISE EXCEPTION 'an approval does not go from % to %', OLD.state, NEW.state;
  END IF;
  RETURN NEW;
END;
$$;
