ALTER TABLE "wallet_balance" ADD COLUMN "moved_at" timestamp with time zone;--> statement-breakpoint
-- What people leave unused is the watchers', one steady call after the other: kept for people are the watchers' own ninth and twice
-- what they asked for in the last minute, up to their share.
CREATE FUNCTION bank_budget_idle_room(allowed integer, used integer[]) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(0, allowed - used[1] - used[2] - used[3] - greatest(0, round(allowed / 3.0)::integer - used[1])
    - greatest(0, least(round(allowed * 7 / 18.0), round(allowed / 9.0) + 2 * used[2])::integer - used[2]))
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION bank_budget_take(
  of_origin text, configured integer, wanted integer[], given timestamptz,
  OUT granted integer[], OUT used integer[], OUT rooms integer[], OUT allowed integer,
  OUT at_ms double precision, OUT paused_until_ms double precision
) LANGUAGE plpgsql AS $$
DECLARE
  budget bank_budget := bank_budget_lock(of_origin);
  at timestamptz := coalesce(given, clock_timestamp());
  pace integer;
  steady integer;
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
  steady := ceil(allowed / 90.0);
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
    here[3] := greatest(here[3], least(bank_budget_idle_room(allowed, used), steady - budget.watchers[62]));
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
    here[3] := greatest(here[3], least(
      bank_budget_idle_room(bank_budget_limit(budget, configured, later), in_use),
      greatest(0, steady - budget.watchers[62]) + steady * ahead));
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
