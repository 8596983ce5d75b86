CREATE TABLE "bank_budget" (
	"origin" text PRIMARY KEY NOT NULL,
	"second" bigint NOT NULL,
	"money" integer[] NOT NULL,
	"people" integer[] NOT NULL,
	"watchers" integer[] NOT NULL,
	"refused" integer[] NOT NULL,
	"lowered_to" integer,
	"paused_until" timestamp with time zone,
	"money_waits_until" timestamp with time zone,
	"people_wait_until" timestamp with time zone
);

--> statement-breakpoint
-- The row of a provider, ours until this transaction ends. Read the time after it, not before: others may have had it meanwhile.
CREATE FUNCTION bank_budget_lock(of_origin text) RETURNS bank_budget LANGUAGE plpgsql AS $$
DECLARE
  budget bank_budget;
  none integer[] := array_fill(0, ARRAY[62]);
BEGIN
  -- What a crash of the server may lose of it is less than a second.
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT * INTO budget FROM bank_budget WHERE origin = of_origin FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO bank_budget (origin, second, money, people, watchers, refused)
    VALUES (of_origin, 0, none, none, none, none) ON CONFLICT DO NOTHING;
    SELECT * INTO budget FROM bank_budget WHERE origin = of_origin FOR UPDATE;
  END IF;
  RETURN budget;
END;
$$;
--> statement-breakpoint
-- The same budget at a later time. A clock that was put back makes nothing in it older.
CREATE FUNCTION bank_budget_aged(budget bank_budget, at timestamptz) RETURNS bank_budget
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  gone integer := least(62, greatest(0, floor(extract(epoch FROM at)) - budget.second));
  none integer[] := array_fill(0, ARRAY[gone]);
BEGIN
  budget.second := floor(extract(epoch FROM at));
  IF gone > 0 THEN
    budget.money := budget.money[gone + 1:] || none;
    budget.people := budget.people[gone + 1:] || none;
    budget.watchers := budget.watchers[gone + 1:] || none;
    budget.refused := budget.refused[gone + 1:] || none;
  END IF;
  RETURN budget;
END;
$$;
--> statement-breakpoint
-- A lowered limit grows again from a minute after its last pause: by a tenth of the configured one each minute, call by call.
CREATE FUNCTION bank_budget_limit(budget bank_budget, configured integer, at timestamptz) RETURNS integer
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF budget.lowered_to IS NULL THEN RETURN configured; END IF;
  RETURN least(configured, budget.lowered_to
    + floor(greatest(0, extract(epoch FROM at - budget.paused_until) - 60) * configured / 600));
END;
$$;
--> statement-breakpoint
-- How many calls each lane may make beside those of the last minute: money all that is left, the others what need not be kept
-- for money (a third of the limit), people (7/18) and watchers (1/9).
CREATE FUNCTION bank_budget_rooms(allowed integer, used integer[]) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  free integer := allowed - used[1] - used[2] - used[3];
  for_money integer := greatest(0, round(allowed / 3.0) - used[1]);
  for_people integer := greatest(0, round(allowed * 7 / 18.0) - used[2]);
  for_watchers integer := greatest(0, round(allowed / 9.0) - used[3]);
BEGIN
  RETURN ARRAY[greatest(0, free), greatest(0, free - for_money - for_watchers), greatest(0, free - for_money - for_people)];
END;
$$;
--> statement-breakpoint
-- A moment after the first of the coming seconds in which a lane finds room.
CREATE FUNCTION bank_budget_chance(second bigint, rooms integer[], lane integer) RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS $$
  SELECT to_timestamp(second + coalesce(min(ahead), 62)) + interval '250 milliseconds'
  FROM generate_series(1, 62) AS ahead WHERE rooms[3 * ahead + lane] > 0
$$;
--> statement-breakpoint
-- Gives the lanes (money, people, watchers) what they want of what there is, money first. `rooms` tells, lane by lane, what is
-- left now and, when that was less than wanted, at the start of each of the next 62 seconds if nobody else came.
CREATE FUNCTION bank_budget_take(
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
    FOR lane IN 1..3 LOOP
      here[lane] := greatest(0, least(here[lane], pace * (ahead + 1) - this_second));
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
-- refuses again within a minute of the last pause. What was already on its way then is no reason for more.
CREATE FUNCTION bank_budget_refused(of_origin text, configured integer, pause_ms double precision, given timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  budget bank_budget := bank_budget_lock(of_origin);
  at timestamptz := coalesce(given, clock_timestamp());
  allowed integer;
  let_through integer;
BEGIN
  budget := bank_budget_aged(budget, at);
  allowed := bank_budget_limit(budget, configured, at);
  budget.refused[62] := budget.refused[62] + 1;
  let_through := (SELECT sum(calls) FROM unnest(budget.money || budget.people || budget.watchers) AS calls)
    - (SELECT sum(calls) FROM unnest(budget.refused) AS calls);
  IF at >= budget.paused_until AND at < budget.paused_until + interval '1 minute' THEN
    allowed := floor(allowed * 0.7);
  END IF;
  UPDATE bank_budget SET second = budget.second, money = budget.money, people = budget.people,
    watchers = budget.watchers, refused = budget.refused,
    lowered_to = least(configured, greatest(6, least(allowed, let_through))),
    paused_until = greatest(budget.paused_until, at + pause_ms * interval '1 millisecond')
  WHERE origin = of_origin;
END;
$$;
