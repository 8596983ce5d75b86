#!/bin/sh
# The database and its two accounts, for a new PostgreSQL (docs/operating.md). Takes OWNER_PASSWORD and CONSOLE_PASSWORD.
set -eu
psql --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  --set owner="$OWNER_PASSWORD" --set console="$CONSOLE_PASSWORD" <<'SQL'
CREATE ROLE retaguarda_owner LOGIN PASSWORD :'owner';
CREATE ROLE retaguarda LOGIN PASSWORD :'console';
CREATE DATABASE retaguarda OWNER retaguarda_owner;
\connect retaguarda
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
SQL
