-- So many seconds ahead: under a lowered limit, while calls are left of the configured one and money has rested for five seconds.
CREATE FUNCTION bank_budget_may_retry(budget bank_budget, configured integer, ahead integer) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF coalesce(budget.lowered_to, configured) >= configured THEN RETURN false; END IF;
  RETURN 0 = ALL (budget.money[58 + ahead:]) AND configured > (
    SELECT sum(calls) FROM unnest(budget.money[ahead + 1:] || budget.people[ahead + 1:] || budget.watchers[ahead + 1:]) AS calls
  );
END;
$$;
--> statement-breakpoint
-- Gives the lanes (money, people, watchers) what they want of what there is, money first. `rooms` tells, lane by lane, what is
-- left now and, when that was less than wanted, at the start of each of the next 62 seconds if nobody else came. While a lowered
-- limit is used up, money may try again all the same, once in five seconds: the provider said how long it wants to be left alone.
CREATE OR REPLACE FUNCTION bank_budget_take(
  of_origin text, configured integer, wanted integer[], given timestamptz,
  OUT granted integer[], OUT used integer[], OUT rooms integer[], OUT allowed integer,
  OUT at_ms double precision, OUT paused_until_ms double precision
) LANGUAGE plpgsql AS $$
DECLARE
  budget bank_budget := bank_budget_lock(of_origin);
  at timestamptz := coalesce(given, clock_timestamp());
  pace integer;
  this_second integer;
  later timestamptz;
  in_use integer[];
  here integer[];
  yields boolean[];
BEGIN
  budget := bank_budget_aged(budget, at);
  allowed := bank_budget_limit(budget, configured, at);
  -- Under a lowered limit calls leave evenly: were it still too high, few would find out before all of them pause.
  pace := CASE WHEN allowed < configured THEN ceil(allowed / 20.0) END;
  this_second := budget.money[62] + budget.people[62] + budget.watchers[62];
  used := ARRAY[
    (SELECT sum(calls) FROM unnest(budget.money) AS calls),
    (SELECT sum(calls) FROM unnest(budget.people) AS calls),
    (SELECT sum(calls) FROM unnest(budget.watchers) AS calls)
  ];
  yields[1] := false;
  yields[2] := coalesce(budget.money_waits_until > at, false);
  yields[3] := yields[2] OR used[3] >= round(allowed / 9.0) AND coalesce(budget.people_wait_until > at, false);
  granted := ARRAY[0, 0, 0];
  FOR lane IN 1..3 LOOP
    CONTINUE WHEN yields[lane] OR at < budget.paused_until;
    here := bank_budget_rooms(allowed, used);
    IF bank_budget_may_retry(budget, configured, 0) THEN here[1] := greatest(here[1], 1); END IF;
    granted[lane] := greatest(0, least(wanted[lane], here[lane], pace - this_second));
    used[lane] := used[lane] + granted[lane];
    this_second := this_second + granted[lane];
  END LOOP;
  budget.money[62] := budget.money[62] + granted[1];
  budget.people[62] := budget.people[62] + granted[2];
  budget.watchers[62] := budget.watchers[62] + granted[3];

  in_use := used;
  later := at;
  FOR ahead IN 0..62 LOOP
    IF ahead > 0 THEN
      later := to_timestamp(budget.second + ahead);
      in_use := ARRAY[in_use[1] - budget.money[ahead], in_use[2] - budget.people[ahead], in_use[3] - budget.watchers[ahead]];
    END IF;
    here := bank_budget_rooms(bank_budget_limit(budget, configured, later), in_use);
    IF bank_budget_may_retry(budget, configured, ahead) THEN here[1] := greatest(here[1], 1 + ahead / 5); END IF;
    FOR lane IN 1..3 LOOP
      here[lane] := least(here[lane], greatest(0, pace - this_second) + pace * ahead);
      IF later < budget.paused_until OR ahead = 0 AND yields[lane] THEN here[lane] := 0; END IF;
    END LOOP;
    rooms := rooms || here;
    EXIT WHEN granted = wanted;
  END LOOP;
  at_ms := extract(epoch FROM at) * 1000;
  paused_until_ms := CASE WHEN budget.paused_until > at THEN extract(epoch FROM budget.paused_until) * 1000 END;
  IF wanted = ARRAY[0, 0, 0] THEN RETURN; END IF;

  -- Who has to wait comes back when there is room; until a moment later the lanes behind leave it to them.
  IF granted[1] < wanted[1] THEN budget.money_waits_until := bank_budget_chance(budget.second, rooms, 1); END IF;
  IF granted[2] < wanted[2] THEN budget.people_wait_until := bank_budget_chance(budget.second, rooms, 2); END IF;
  UPDATE bank_budget SET second = budget.second, money = budget.money, people = budget.people,
    watchers = budget.watchers, refused = budget.refused,
    money_waits_until = budget.money_waits_until, people_wait_until = budget.people_wait_until
  WHERE origin = of_origin;
END;
$$;
--> statement-breakpoint
-- The provider answered 429. All lanes pause; the limit becomes what it let through in the last minute, and less when it
-- refuses again within a minute of the last pause what was within the limit. What was on its way then is no reason for more.
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
  IF called <= allowed AND at >= budget.paused_until AND at < budget.paused_until + interval '1 minute' THEN
    allowed := floor(allowed * 0.7);
  END IF;
  UPDATE bank_budget SET second = budget.second, money = budget.money, people = budget.people,
    watchers = budget.watchers, refused = budget.refused,
    lowered_to = least(configured, greatest(6, least(allowed, let_through))),
    paused_until = greatest(budget.paused_until, at + pause_ms * interval '1 millisecond')
  WHERE origin = of_origin;
END;
$$;
