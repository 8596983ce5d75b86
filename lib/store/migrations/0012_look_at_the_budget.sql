-- What the meter shows of a budget, without the lock that taking from it needs: every screen looks, and a look must hold up no call.
CREATE FUNCTION bank_budget_look(
  of_origin text, configured integer, given timestamptz,
  OUT used integer[], OUT allowed integer, OUT paused_until_ms double precision
) LANGUAGE plpgsql STABLE AS $$
DECLARE
  budget bank_budget;
  at timestamptz := coalesce(given, clock_timestamp());
BEGIN
  SELECT * INTO budget FROM bank_budget WHERE origin = of_origin;
  IF NOT FOUND THEN
    used := ARRAY[0, 0, 0];
    allowed := configured;
    RETURN;
  END IF;
  budget := bank_budget_aged(budget, at);
  used := ARRAY[
    (SELECT sum(calls) FROM unnest(budget.money) AS calls),
    (SELECT sum(calls) FROM unnest(budget.people) AS calls),
    (SELECT sum(calls) FROM unnest(budget.watchers) AS calls)
  ];
  allowed := bank_budget_limit(budget, configured, at);
  paused_until_ms := CASE WHEN budget.paused_until > at THEN extract(epoch FROM budget.paused_until) * 1000 END;
END;
$$;
