-- schema.sql: what a migration keeps beside the application's own tables.
--
--   psql -X -v ON_ERROR_STOP=1 [-v schema=vault] [-v document_id=uuid] -f schema.sql
--
-- Everything is made in one schema of its own, so that no name can meet the application's.
-- `document_id` is the type of the documents table's key. PostgreSQL 15 or newer. Then come
-- functions.sql and application.sql; the last is the one to adapt.

\if :{?schema} \else \set schema vault \endif
\if :{?document_id} \else \set document_id uuid \endif
SET client_min_messages = warning;

BEGIN;
CREATE SCHEMA IF NOT EXISTS :"schema";
SET LOCAL search_path = :"schema", pg_temp;

-- The ledger: one row a document. `item` is the attempt that counts; every change of state is made
-- where state and item are still what the caller saw.
CREATE TABLE vault_document (
  document_id  :document_id PRIMARY KEY,
  state        text NOT NULL DEFAULT 'pending' CHECK (state IN
                 ('pending', 'claimed', 'stored', 'verified', 'switched', 'retired', 'failed')),
  item         uuid,
  failures     integer NOT NULL DEFAULT 0,
  losses       integer NOT NULL DEFAULT 0,
  not_before   timestamptz NOT NULL DEFAULT '-infinity',
  kind         text,
  message      text,
  changed_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  stored_at    timestamptz,
  verified_at  timestamptz,
  switched_at  timestamptz,
  retired_at   timestamptz,
  CHECK (state IN ('pending', 'failed') OR item IS NOT NULL)
);
CREATE INDEX vault_document_open ON vault_document (state, not_before)
  WHERE state IN ('pending', 'claimed', 'stored', 'verified', 'switched', 'failed');

-- One row an attempt. Its item is made with it and never used again: a second attempt is another
-- item with another key. `object` is where it was told to store, which says where to look for what
-- it may have left.
CREATE TABLE vault_attempt (
  item          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  document_id   :document_id NOT NULL REFERENCES vault_document ON DELETE CASCADE,
  state         text NOT NULL DEFAULT 'claimed' CHECK (state IN
                  ('claimed', 'returned', 'failed', 'lost', 'stored', 'superseded', 'removed')),
  worker        text NOT NULL,
  lease_until   timestamptz NOT NULL,
  claimed_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at      timestamptz,
  source        text,
  source_etag   text,
  object        text,
  receipt       text CHECK (receipt IN
                  ('stored', 'exists', 'failed', 'incomplete', 'cancelled', 'unknown')),
  token         text,
  object_bytes  bigint,
  data_bytes    bigint,
  sha256        bytea,
  body          text,
  etag          text,
  version_id    text,
  kind          text,
  message       text
);
CREATE INDEX vault_attempt_document ON vault_attempt (document_id);
CREATE INDEX vault_attempt_leases ON vault_attempt (lease_until) WHERE state = 'claimed';
CREATE INDEX vault_attempt_left ON vault_attempt (state)
  WHERE state IN ('failed', 'lost', 'superseded');

-- What the application reads to open a document: one row that is not superseded for each.
CREATE TABLE imaging_envelope (
  item              uuid PRIMARY KEY,
  document_id       :document_id NOT NULL,
  object_key        text NOT NULL,
  wrapped_dek       bytea NOT NULL,
  data_nonce        bytea NOT NULL CHECK (octet_length(data_nonce) = 24),
  data_auth_tag     bytea NOT NULL CHECK (octet_length(data_auth_tag) = 32),
  ciphertext_bytes  bigint NOT NULL,
  data_bytes        bigint NOT NULL,
  sha256            bytea NOT NULL CHECK (octet_length(sha256) = 32),
  etag              text,
  version_id        text,
  envelope_format   text NOT NULL DEFAULT 'vault/1',
  created_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  superseded_at     timestamptz
);
CREATE UNIQUE INDEX imaging_envelope_document ON imaging_envelope (document_id)
  WHERE superseded_at IS NULL;

-- Lines that are no receipt, no verdict, no answer of vault-drop. Nothing is thrown away unread.
CREATE TABLE vault_bad_line (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  kind     text NOT NULL,
  item     uuid,
  line     text,
  message  text NOT NULL
);
COMMIT;
