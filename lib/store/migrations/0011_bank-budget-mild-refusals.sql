-- A lowered limit grows again from a minute after its last pause: by an eighth of the configured one each minute, call by call.
CREATE OR REPLACE FUNCTION bank_budget_limit(budget bank_budget, configured integer, at timestamptz) RETURNS integer
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF budget.lowered_to IS NULL THEN RETURN configured; END IF;
  RETURN least(configured, budget.lowered_to
    + floor(greatest(0, extract(epoch FROM at - budget.paused_until) - 60) * configured / 480));
END;
$$;
--> statement-breakpoint
-- The provider answered 429, and all lanes pause. The limit becomes what it let through in the last minute, but no less than
-- half: what a quiet desk happened to ask tells little. When it refuses within a minute of the last pause what was within the
-- limit, that falls by three tenths. Those that come during a pause were on their way with its first: each is one call less
-- that was let through.
CREATE OR REPLACE FUNCTION bank_budget_refused(of_origin text, configured integer, pause_ms double precision, given timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  budget bank_budget := bank_budget_lock(of_origin);
  at timestamptz := coalesce(given, clock_timestamp());
  allowed integer;
  called integer;
  let_through integer;
BEGIN
  budget := bank_budget_aged(budget, at);
  allowed := bank_budget_limit(budget, configured, at);
  budget.refused[62] := budget.refused[62] + 1;
  called := (SELECT sum(calls) FROM unnest(budget.money || budget.people || budget.watchers) AS calls);
  let_through := called - (SELECT sum(calls) FROM unnest(budget.refused) AS calls);
  allowed := CASE
    WHEN at < budget.paused_until THEN CASE let_through WHEN allowed - 1 THEN let_through ELSE allowed END
    WHEN at >= budget.paused_until + interval '1 minute' OR budget.paused_until IS NULL
      THEN least(allowed, greatest(let_through, ceil(allowed / 2.0)))
    WHEN called <= allowed THEN floor(allowed * 0.7)
    ELSE allowed
  END;
  UPDATE bank_budget SET second = budget.second, money = budget.money, people = budget.people,
    watchers = budget.watchers, refused = budget.refused,
    lowered_to = least(configured, greatest(6, allowed)),
    paused_until = greatest(budget.paused_until, at + pause_ms * interval '1 millisecond')
  WHERE origin = of_origin;
END;
$$;
