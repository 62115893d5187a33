-- functions.sql: the steps of a migration. Each is one transaction, and each changes a document only
-- where its state and its item are still what the caller saw. No clock but the database's.
--
--   psql -X -v ON_ERROR_STOP=1 [-v schema=vault] -f functions.sql
--
-- After schema.sql and application.sql; it may be run again at any time.

\if :{?schema} \else \set schema vault \endif
SET client_min_messages = warning;

BEGIN;
SET LOCAL search_path = :"schema", pg_temp;

-- How often a document may fail by itself, and how often its worker may die, before it is left alone.
CREATE OR REPLACE FUNCTION vault_limits(OUT failures integer, OUT losses integer)
LANGUAGE sql IMMUTABLE AS 'SELECT 3, 20';

-- Whatever the same input would meet again is not tried again.
CREATE OR REPLACE FUNCTION vault_is_final(code integer) RETURNS boolean
LANGUAGE sql IMMUTABLE AS 'SELECT code IN (64, 65, 69, 73)';

-- The part of an object's address that the application keeps.
CREATE OR REPLACE FUNCTION vault_key(object text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$ SELECT regexp_replace(object, '^s3://[^/]*/', '') $$;

-- Takes up documents that are new in vault_source. Returns how many.
CREATE OR REPLACE FUNCTION vault_enroll() RETURNS bigint
LANGUAGE sql SET search_path FROM CURRENT AS $$
  WITH made AS (
    INSERT INTO vault_document (document_id)
    SELECT s.document_id FROM vault_source s
    WHERE NOT EXISTS (SELECT FROM vault_document d WHERE d.document_id = s.document_id)
    ON CONFLICT DO NOTHING RETURNING 1)
  SELECT count(*) FROM made
$$;

-- Ends the attempt that counts, and gives the document back or gives it up. `counted` says against
-- what: 'failure' and 'loss' are limited, 'none' is not; 'denied' waits for somebody to give the right.
-- The caller holds the document's row.
CREATE OR REPLACE FUNCTION vault_undo(
  d vault_document, attempt_state text, why text, what text, counted text, is_final boolean
) RETURNS text LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  limits record;
  failed integer := d.failures + (counted = 'failure')::integer;
  lost integer := d.losses + (counted = 'loss')::integer;
  after text;
BEGIN
  SELECT * INTO limits FROM vault_limits();
  after := CASE WHEN is_final OR failed >= limits.failures OR lost >= limits.losses
    THEN 'failed' ELSE 'pending' END;
  UPDATE vault_attempt
  SET state = attempt_state, ended_at = clock_timestamp(), kind = why, message = what
  WHERE item = d.item;
  UPDATE imaging_envelope SET superseded_at = clock_timestamp()
  WHERE item = d.item AND superseded_at IS NULL;
  UPDATE vault_document
  SET state = after, failures = failed, losses = lost, kind = why, message = what,
      changed_at = clock_timestamp(), stored_at = NULL, verified_at = NULL,
      not_before = CASE counted
        WHEN 'failure' THEN clock_timestamp() + failed * interval '2 seconds'
        WHEN 'denied' THEN clock_timestamp() + interval '5 minutes'
        ELSE '-infinity' END
  WHERE document_id = d.document_id;
  RETURN after;
END $$;

-- Gives back what workers held that have not renewed their lease.
CREATE OR REPLACE FUNCTION vault_expire(most integer) RETURNS bigint
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE d vault_document; n bigint := 0;
BEGIN
  FOR d IN
    SELECT v.* FROM vault_attempt a JOIN vault_document v ON v.item = a.item
    WHERE a.state = 'claimed' AND v.state = 'claimed' AND a.lease_until < clock_timestamp()
    LIMIT most FOR UPDATE OF v SKIP LOCKED
  LOOP
    PERFORM vault_undo(d, 'lost', 'lease-expired', 'the worker did not renew its lease', 'loss',
      false);
    n := n + 1;
  END LOOP;
  RETURN n;
END $$;

-- The row that vault-get reads. Throws for what cannot be one.
CREATE OR REPLACE FUNCTION vault_row(s vault_source, item uuid) RETURNS text
LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
DECLARE line text;
BEGIN
  IF s.source IS NULL THEN
    RAISE data_exception USING MESSAGE = 'the document has no storage key';
  END IF;
  line := jsonb_strip_nulls(jsonb_build_object(
    'document', s.document_id, 'item', item, 'source', s.source, 'name', s.name,
    'media_type', s.media_type, 'bytes', s.bytes::bigint, 'sha3_256', s.sha3_256))::text;
  -- Bytes that are not UTF-8 (in a database that does not look) would end the whole COPY.
  PERFORM convert_from(convert_to(line, 'UTF8'), 'UTF8');
  IF octet_length(line) > 262144 THEN
    RAISE data_exception USING MESSAGE = 'the row is over 256 KiB';
  END IF;
  RETURN line;
END $$;

-- Makes an attempt of each of these documents, under the item that stands in it. Of a table that nobody
-- has analysed yet the planner thinks little, and would read it whole for each row: not here, nor below.
CREATE OR REPLACE FUNCTION vault_begin(
  claimed vault_document[], sources text[], who text, lease interval, target text
) RETURNS void LANGUAGE sql SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  INSERT INTO vault_attempt (item, document_id, worker, lease_until, object, source)
  SELECT c.item, c.document_id, who, clock_timestamp() + lease,
    replace(target, '{item}', c.item::text), c.unnest
  FROM ROWS FROM (unnest(claimed), unnest(sources)) c;
  UPDATE vault_document d SET state = 'claimed', item = c.item, changed_at = clock_timestamp()
  FROM unnest(claimed) c WHERE d.document_id = c.document_id
$$;

-- Claims up to `most` documents for a worker and returns their rows, closed by the end line that
-- vault-get --rows-end wants. `target` is the destination with {item} in it.
CREATE OR REPLACE FUNCTION vault_claim(
  who text, most integer, lease interval, target text
) RETURNS SETOF text LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  d vault_document;
  s vault_source;
  claimed vault_document[] := '{}';
  sources text[] := '{}';
  lines text[] := '{}';
  line text;
  why text;
  what text;
BEGIN
  PERFORM vault_expire(most);
  FOR d IN
    SELECT * FROM vault_document
    WHERE state = 'pending' AND not_before <= clock_timestamp()
    ORDER BY not_before LIMIT most FOR UPDATE SKIP LOCKED
  LOOP
    d.item := gen_random_uuid();
    d.state := 'claimed';
    -- Nothing is written inside: a subtransaction that writes would cost more than all the rest.
    BEGIN
      why := NULL;
      SELECT * INTO s FROM vault_source v WHERE v.document_id = d.document_id;
      IF FOUND THEN
        line := vault_row(s, d.item);
      ELSE
        why := 'row-gone';
        what := 'the document is not one to migrate any more';
      END IF;
    EXCEPTION WHEN OTHERS THEN
      why := 'bad-row';
      what := SQLERRM;
    END;
    IF why IS NULL THEN
      claimed := claimed || d;
      sources := sources || s.source;
      lines := lines || line;
    ELSE
      PERFORM vault_begin(ARRAY[d], ARRAY[NULL::text], who, lease, target);
      PERFORM vault_undo(d, 'returned', why, what, 'failure', true);
    END IF;
  END LOOP;
  PERFORM vault_begin(claimed, sources, who, lease, target);
  RETURN QUERY SELECT unnest(lines);
  RETURN NEXT jsonb_build_object('end', true, 'rows', cardinality(lines))::text;
END $$;

-- Says that a worker lives. Returns how many claims it still holds.
CREATE OR REPLACE FUNCTION vault_renew(who text, lease interval) RETURNS bigint
LANGUAGE sql SET search_path FROM CURRENT AS $$
  WITH held AS (
    UPDATE vault_attempt SET lease_until = clock_timestamp() + lease
    WHERE worker = who AND state = 'claimed' RETURNING 1)
  SELECT count(*) FROM held
$$;

-- Gives back all that a worker still holds. `begun`: the items in the journal of its uploads; nobody
-- said how these ended, so something may lie under their names. `counted`: against what, as for
-- vault_undo.
CREATE OR REPLACE FUNCTION vault_return(who text, begun uuid[], counted text, why text)
RETURNS bigint LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE d vault_document; n bigint := 0;
BEGIN
  FOR d IN
    SELECT v.* FROM vault_attempt a JOIN vault_document v ON v.item = a.item
    WHERE a.worker = who AND a.state = 'claimed' AND v.state = 'claimed'
    ORDER BY v.document_id FOR UPDATE OF v
  LOOP
    PERFORM vault_undo(d, CASE WHEN d.item = ANY (begun) THEN 'lost' ELSE 'returned' END, 'no-receipt', why,
      counted, false);
    n := n + 1;
  END LOOP;
  RETURN n;
END $$;

-- How many of these attempts are stored, and how many are still held.
CREATE OR REPLACE FUNCTION vault_count(items uuid[], OUT stored bigint, OUT held bigint)
LANGUAGE sql SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  SELECT count(*) FILTER (WHERE state = 'stored'), count(*) FILTER (WHERE state = 'claimed')
  FROM vault_attempt WHERE item = ANY (items)
$$;

-- Locks the document of an item and returns it; null when there is no such attempt.
CREATE OR REPLACE FUNCTION vault_hold(which uuid) RETURNS vault_document
LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT d.* FROM vault_document d JOIN vault_attempt a USING (document_id)
  WHERE a.item = which FOR UPDATE OF d
$$;

-- Records one receipt. An attempt that does not count any more is superseded: noted, never adopted.
CREATE OR REPLACE FUNCTION vault_record(which uuid, r jsonb) RETURNS text
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  d vault_document;
  a vault_attempt;
  code integer := (r->'error'->>'code')::integer;
  counts boolean;
  ending text;
BEGIN
  d := vault_hold(which);
  SELECT * INTO a FROM vault_attempt WHERE item = which;
  IF a.item IS NULL THEN RETURN 'stranger'; END IF;
  IF r->>'object' IS DISTINCT FROM a.object AND r->>'status' IN ('stored', 'unknown') THEN
    RAISE data_exception USING MESSAGE = 'the receipt is of another object than the claim';
  END IF;
  IF a.state NOT IN ('claimed', 'lost', 'returned') OR a.receipt IS NOT NULL THEN
    RETURN 'again';
  END IF;
  counts := d.item IS NOT DISTINCT FROM which AND d.state = 'claimed';
  ending := CASE WHEN NOT counts AND r->>'status' IN ('stored', 'unknown') THEN 'superseded'
    WHEN NOT counts THEN 'failed' WHEN r->>'status' = 'stored' THEN 'stored' END;
  IF ending = 'stored' THEN
    PERFORM vault_store(ARRAY[which], ARRAY[r]);
    RETURN ending;
  END IF;
  PERFORM vault_note(ARRAY[which], ARRAY[r], ending);
  IF NOT counts THEN RETURN 'superseded'; END IF;
  RETURN CASE r->>'status'
    WHEN 'cancelled' THEN vault_undo(d, 'returned', 'cancelled', 'a signal ended it', 'none', false)
    ELSE vault_undo(d, CASE r->>'status' WHEN 'unknown' THEN 'superseded' ELSE 'failed' END,
      coalesce(r->'error'->>'name', r->>'status'), coalesce(r->'error'->>'message', ''),
      CASE WHEN r->'error'->>'name' = 'cancelled' THEN 'none' WHEN code IN (77, 78) THEN 'denied'
        WHEN r->>'status' = 'incomplete' AND code = 66 THEN 'loss' ELSE 'failure' END,
      coalesce(vault_is_final(code), false)) END;
END $$;

-- Unpadded base64, as envelopes have it.
CREATE OR REPLACE FUNCTION vault_base64(words text) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT decode(rpad(words, (length(words) + 3) / 4 * 4, '='), 'base64')
$$;

-- Writes to attempts what their receipts say, and the state in which they end, if they do.
CREATE OR REPLACE FUNCTION vault_note(items uuid[], receipts jsonb[], ending text) RETURNS void
LANGUAGE sql SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  UPDATE vault_attempt a
  SET receipt = r->>'status', token = r->>'token', body = r->>'body', etag = r->>'etag',
      version_id = r->>'version_id', sha256 = decode(r->>'sha256', 'hex'),
      object_bytes = (r->>'object_bytes')::bigint, data_bytes = (r->>'data_bytes')::bigint,
      state = coalesce(ending, state),
      ended_at = CASE WHEN ending IS NULL THEN ended_at ELSE clock_timestamp() END
  FROM unnest(items, receipts) n(item, r)
  WHERE a.item = n.item
$$;

-- claimed -> stored, with the envelopes that open them. The caller holds the documents' rows, and has seen
-- that these attempts count.
CREATE OR REPLACE FUNCTION vault_store(items uuid[], receipts jsonb[]) RETURNS void
LANGUAGE sql SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  SELECT vault_note(items, receipts, 'stored');
  INSERT INTO imaging_envelope (item, document_id, object_key, wrapped_dek, data_nonce,
    data_auth_tag, ciphertext_bytes, data_bytes, sha256, etag, version_id)
  SELECT a.item, a.document_id, vault_key(a.object), convert_to(n.r->>'envelope', 'UTF8'),
    vault_base64(split_part(a.body, ' ', 1)), vault_base64(split_part(a.body, ' ', 2)),
    a.object_bytes, a.data_bytes, a.sha256, a.etag, a.version_id
  FROM unnest(items, receipts) n(item, r) JOIN vault_attempt a USING (item);
  UPDATE vault_document d
  SET state = 'stored', stored_at = clock_timestamp(), changed_at = clock_timestamp(),
      kind = NULL, message = NULL, not_before = '-infinity'
  FROM unnest(items) n(item), vault_attempt a
  WHERE a.item = n.item AND d.document_id = a.document_id AND d.item = n.item
$$;

-- Takes up to `most` documents in a state for a while, so that two runs do not do the same work. It
-- is only to save work: what they find is recorded by compare-and-set.
CREATE OR REPLACE FUNCTION vault_take(
  wanted text, most integer, pause interval, older_than interval DEFAULT '0'
) RETURNS SETOF uuid LANGUAGE sql SET search_path FROM CURRENT AS $$
  UPDATE vault_document d SET not_before = clock_timestamp() + pause
  FROM (
    SELECT document_id FROM vault_document
    WHERE state = wanted AND not_before <= clock_timestamp()
      AND coalesce(switched_at, changed_at) <= clock_timestamp() - older_than
    ORDER BY not_before LIMIT most FOR UPDATE SKIP LOCKED) t
  WHERE d.document_id = t.document_id
  RETURNING d.item
$$;

-- One row as vault-get --rows takes it, to open and check the object of an attempt.
CREATE OR REPLACE FUNCTION vault_receipt(a vault_attempt, e imaging_envelope, sha3_256 text)
RETURNS text LANGUAGE sql STABLE AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'item', a.item, 'object', a.object, 'object_bytes', a.object_bytes,
    'sha256', encode(a.sha256, 'hex'), 'body', a.body, 'bytes', a.data_bytes,
    'envelope', convert_from(e.wrapped_dek, 'UTF8'), 'sha3_256', sha3_256))::text
$$;

-- The rows of what is to be opened and checked.
CREATE OR REPLACE FUNCTION vault_to_verify(most integer, pause interval) RETURNS SETOF text
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE n bigint;
BEGIN
  RETURN QUERY
    SELECT vault_receipt(a, e, NULL) FROM vault_take('stored', most, pause) t(item)
    JOIN vault_attempt a USING (item) JOIN imaging_envelope e USING (item);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN NEXT jsonb_build_object('end', true, 'rows', n)::text;
END $$;

-- The rows of the originals of these items.
CREATE OR REPLACE FUNCTION vault_to_read(items uuid[]) RETURNS SETOF text
LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
DECLARE n bigint;
BEGIN
  RETURN QUERY SELECT jsonb_build_object('item', item, 'source', source)::text
    FROM vault_attempt WHERE item = ANY (items) AND state = 'stored';
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN NEXT jsonb_build_object('end', true, 'rows', n)::text;
END $$;

-- The same as vault_to_verify for these items, each with the sum that its original has now, as
-- vault-hash prints it. What has no sum could not be read: it is held up, and not in the rows.
CREATE OR REPLACE FUNCTION vault_with_sums(items uuid[], sums text) RETURNS SETOF text
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE n bigint; found uuid[];
BEGIN
  CREATE TEMPORARY TABLE sum ON COMMIT DROP AS
    SELECT split_part(line, '  ', 2)::uuid AS item, split_part(line, '  ', 1) AS sha3_256
    FROM regexp_split_to_table(sums, E'\n') line WHERE line ~ '^[0-9a-f]{64}  [0-9a-f-]{36}$';
  found := ARRAY(SELECT item FROM pg_temp.sum);
  UPDATE vault_document
  SET kind = 'source-unread', message = 'the original could not be read to be compared'
  WHERE item = ANY (items) AND item <> ALL (found) AND state = 'stored';
  RETURN QUERY
    SELECT vault_receipt(a, e, s.sha3_256) FROM pg_temp.sum s
    JOIN vault_attempt a USING (item) JOIN imaging_envelope e USING (item)
    WHERE item = ANY (items);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN NEXT jsonb_build_object('end', true, 'rows', n)::text;
END $$;

-- stored -> verified by a verdict that compared the receipt; else the attempt is superseded, unless
-- the failure says nothing of the object.
CREATE OR REPLACE FUNCTION vault_verdict(which uuid, v jsonb) RETURNS text
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  d vault_document;
  code integer := (v->'error'->>'code')::integer;
BEGIN
  d := vault_hold(which);
  IF d.item IS DISTINCT FROM which OR d.state <> 'stored' THEN RETURN 'again'; END IF;
  IF v->'verified' = 'true'::jsonb THEN
    UPDATE vault_attempt SET source_etag = v->>'source_etag' WHERE item = which;
    UPDATE vault_document
    SET state = 'verified', verified_at = clock_timestamp(), changed_at = clock_timestamp(),
        not_before = '-infinity', kind = NULL, message = NULL
    WHERE document_id = d.document_id;
    RETURN 'verified';
  END IF;
  IF code IN (65, 69) THEN
    RETURN vault_undo(d, 'superseded', v->'error'->>'name', v->'error'->>'message', 'failure',
      false);
  END IF;
  UPDATE vault_document
  SET kind = coalesce(v->'error'->>'name', 'not-compared'), message = v->'error'->>'message'
  WHERE document_id = d.document_id;
  RETURN 'kept';
END $$;

-- The rows of what is to be switched or retired, as vault-drop takes them: the original as it was
-- sealed, and the sealed object that must be there. An original goes only if its own document is
-- served from the sealed object, and no other document still points to it.
CREATE OR REPLACE FUNCTION vault_to_drop(
  wanted text, most integer, pause interval, older_than interval
) RETURNS SETOF text LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE taken uuid[]; sent uuid[] := '{}'; a vault_attempt; why text;
BEGIN
  taken := ARRAY(SELECT vault_take(wanted, most, pause, older_than));
  FOR a IN SELECT * FROM vault_attempt WHERE item = ANY (taken) ORDER BY item LOOP
    why := CASE
      WHEN wanted <> 'switched' THEN NULL
      WHEN NOT EXISTS (SELECT FROM vault_served s
        WHERE s.document_id = a.document_id AND s.object_key = vault_key(a.object))
        THEN 'not-served'
      WHEN EXISTS (SELECT FROM vault_source s WHERE s.source = a.source) THEN 'still-used' END;
    IF why IS NULL THEN
      sent := sent || a.item;
      RETURN NEXT jsonb_strip_nulls(jsonb_build_object(
        'item', a.item, 'source', a.source, 'source_etag', a.source_etag,
        'source_bytes', a.data_bytes, 'object', a.object, 'object_bytes', a.object_bytes,
        'etag', a.etag))::text;
    ELSE
      UPDATE vault_document SET kind = why, message = CASE why
        WHEN 'not-served' THEN 'the application does not serve the sealed object'
        ELSE 'another document still points to the original' END
      WHERE item = a.item AND state = wanted;
    END IF;
  END LOOP;
  RETURN NEXT jsonb_build_object('end', true, 'rows', cardinality(sent),
    'taken', cardinality(taken))::text;
END $$;

-- verified -> switched: the document's own row and the ledger in one transaction, if the original is
-- still what was sealed, by what vault-drop saw of it just now.
CREATE OR REPLACE FUNCTION vault_switch(which uuid, seen jsonb) RETURNS text
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE d vault_document; a vault_attempt;
BEGIN
  d := vault_hold(which);
  IF d.item IS DISTINCT FROM which OR d.state <> 'verified' THEN RETURN 'again'; END IF;
  SELECT * INTO a FROM vault_attempt WHERE item = which;
  IF seen->>'status' = 'would-drop' THEN
    IF vault_move(d, a.source, vault_key(a.object)) <> 1 THEN
      RETURN vault_undo(d, 'superseded', 'row-changed',
        'the document points to something else than what was sealed', 'failure', false);
    END IF;
    UPDATE vault_document
    SET state = 'switched', switched_at = clock_timestamp(), changed_at = clock_timestamp(),
        not_before = '-infinity', kind = NULL, message = NULL
    WHERE document_id = d.document_id;
    RETURN 'switched';
  END IF;
  -- Of an original that is gone the sealed object may be the only copy: a person must look.
  IF seen->>'reason' IN ('source-changed', 'object-changed', 'object-gone') THEN
    RETURN vault_undo(d, 'superseded', seen->>'reason', seen->>'message', 'failure', false);
  END IF;
  UPDATE vault_document SET kind = seen->>'reason', message = seen->>'message'
  WHERE document_id = d.document_id;
  RETURN 'kept';
END $$;

-- switched -> retired, when vault-drop says that the original is gone. Anything else is kept with
-- its reason.
CREATE OR REPLACE FUNCTION vault_retire(which uuid, seen jsonb) RETURNS text
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE d vault_document;
BEGIN
  d := vault_hold(which);
  IF d.item IS DISTINCT FROM which OR d.state <> 'switched' THEN RETURN 'again'; END IF;
  IF seen->>'status' IN ('dropped', 'gone') THEN
    UPDATE vault_document
    SET state = 'retired', retired_at = clock_timestamp(), changed_at = clock_timestamp(),
        kind = NULL, message = NULL
    WHERE document_id = d.document_id;
    RETURN 'retired';
  END IF;
  UPDATE vault_document SET kind = seen->>'reason', message = seen->>'message'
  WHERE document_id = d.document_id AND seen->>'status' IN ('kept', 'unknown');
  RETURN 'kept';
END $$;

-- The rows that vault-key rewrap reads. `before` names the envelope that its new one may replace.
CREATE OR REPLACE FUNCTION vault_to_rewrap(after uuid, most integer) RETURNS SETOF text
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT jsonb_build_object(
    'item', item, 'source', object_key, 'body',
    rtrim(translate(encode(data_nonce, 'base64'), E'\n', ''), '=') || ' '
      || rtrim(translate(encode(data_auth_tag, 'base64'), E'\n', ''), '='),
    'envelope', convert_from(wrapped_dek, 'UTF8'),
    'before', encode(sha256(wrapped_dek), 'hex'))::text
  FROM imaging_envelope
  WHERE superseded_at IS NULL AND item > after ORDER BY item LIMIT most
$$;

-- A new envelope takes the place of the one that was read, if that is still there.
CREATE OR REPLACE FUNCTION vault_rewrap(which uuid, r jsonb) RETURNS text
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE made bytea := convert_to(r->>'envelope', 'UTF8');
BEGIN
  IF encode(sha256(made), 'hex') = r->>'before' THEN RETURN 'same'; END IF;
  UPDATE imaging_envelope SET wrapped_dek = made, updated_at = clock_timestamp()
  WHERE item = which AND superseded_at IS NULL
    AND encode(sha256(wrapped_dek), 'hex') = r->>'before';
  RETURN CASE WHEN FOUND THEN 'rewrapped' ELSE 'changed' END;
END $$;

-- A failed document may be tried anew, when its cause was found.
CREATE OR REPLACE FUNCTION vault_again(which anyelement) RETURNS bigint
LANGUAGE sql SET search_path FROM CURRENT AS $$
  WITH freed AS (
    UPDATE vault_document SET state = 'pending', failures = 0, losses = 0, not_before = '-infinity',
      changed_at = clock_timestamp()
    WHERE document_id = which AND state = 'failed' RETURNING 1)
  SELECT count(*) FROM freed
$$;

-- What one line comes to.
CREATE OR REPLACE FUNCTION vault_take_line(kind text, line text, which uuid) RETURNS text
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  RETURN CASE kind
    WHEN 'receipt' THEN
      CASE WHEN which IS NULL AND vault_is_nameless(line) THEN 'nameless'
        ELSE vault_record(which, vault_json(line, which)) END
    WHEN 'verdict' THEN vault_verdict(which, vault_json(line, which))
    WHEN 'switch' THEN vault_switch(which, vault_json(line, which))
    WHEN 'retire' THEN vault_retire(which, vault_json(line, which))
    WHEN 'remove' THEN vault_remove(which, vault_json(line, which))
    WHEN 'rewrap' THEN vault_rewrap(which, vault_json(line, which)) END;
END $$;

-- What is wrong with the database is no fault of a line.
CREATE OR REPLACE FUNCTION vault_is_line_fault(state text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT left(state, 2) NOT IN ('08', '25', '40', '53', '54', '55', '57', '58', 'XX')
$$;

-- What nearly all receipts say: that the attempt that counts is stored, and no other line is about it.
-- These are recorded in one go, as vault_record would one by one.
CREATE OR REPLACE FUNCTION vault_load_stored() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  items uuid[] := '{}';
  receipts jsonb[] := '{}';
  l record;
  r jsonb;
  a vault_attempt;
  d vault_document;
BEGIN
  FOR l IN
    SELECT item, max(line) AS line FROM pg_temp.vault_line
    WHERE item IS NOT NULL GROUP BY item HAVING count(*) = 1
  LOOP
    r := vault_json(l.line, l.item);
    SELECT * INTO a FROM vault_attempt WHERE item = l.item;
    SELECT * INTO d FROM vault_document WHERE document_id = a.document_id;
    IF d.item = l.item AND d.state = 'claimed' AND a.state = 'claimed' AND a.receipt IS NULL
      AND r->>'status' = 'stored' AND r->>'object' = a.object THEN
      items := array_append(items, l.item);
      receipts := array_append(receipts, r);
    END IF;
  END LOOP;
  PERFORM vault_store(items, receipts);
  UPDATE pg_temp.vault_line SET outcome = 'stored' WHERE item = ANY (items);
END $$;

-- All lines at once; false, and nothing has happened, when one of them is bad.
CREATE OR REPLACE FUNCTION vault_load_together(kind text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  IF kind = 'receipt' THEN PERFORM vault_load_stored(); END IF;
  UPDATE pg_temp.vault_line l SET outcome = t.outcome
  FROM (
    SELECT number, vault_take_line(kind, line, item) AS outcome
    FROM (SELECT * FROM pg_temp.vault_line WHERE outcome IS NULL ORDER BY number) rest OFFSET 0) t
  WHERE l.number = t.number;
  RETURN true;
EXCEPTION WHEN OTHERS THEN
  IF NOT vault_is_line_fault(SQLSTATE) THEN RAISE; END IF;
  RETURN false;
END $$;

-- Records the lines in the temporary table `vault_line`. A bad one is one failed line: when they do not go
-- in together, each goes in a block of its own. Documents are locked in their order, so that two loads
-- cannot wait for each other. Before that, how many have come is compared with how many were sent.
-- `each` commits after each.
CREATE OR REPLACE PROCEDURE vault_load(kind text, expected bigint, each boolean)
LANGUAGE plpgsql AS $$
DECLARE
  l record;
  found text;
  loaded bigint;
BEGIN
  SELECT count(*) INTO loaded FROM pg_temp.vault_line;
  IF loaded <> expected THEN
    RAISE EXCEPTION '% lines were sent and % have come', expected, loaded;
  END IF;
  -- An empty line says nothing: whoever cannot see the end of a file begins with one.
  DELETE FROM pg_temp.vault_line WHERE coalesce(line, '') = '';
  UPDATE pg_temp.vault_line SET item = vault_item_of(line);
  IF NOT each THEN
    PERFORM FROM vault_document WHERE document_id IN (
      SELECT document_id FROM vault_attempt WHERE item IN (SELECT item FROM pg_temp.vault_line))
    ORDER BY document_id FOR UPDATE;
    IF vault_load_together(kind) THEN RETURN; END IF;
  END IF;
  FOR l IN SELECT * FROM pg_temp.vault_line ORDER BY number LOOP
    BEGIN
      found := vault_take_line(kind, l.line, l.item);
    EXCEPTION WHEN OTHERS THEN
      IF NOT vault_is_line_fault(SQLSTATE) THEN RAISE; END IF;
      found := 'bad-line';
      INSERT INTO vault_bad_line (kind, item, line, message)
      VALUES (vault_load.kind, l.item, l.line, SQLERRM);
    END;
    UPDATE pg_temp.vault_line SET outcome = found WHERE number = l.number;
    IF each THEN COMMIT; END IF;
  END LOOP;
END $$;

-- Notes that the object of an attempt that does not count was removed on request.
CREATE OR REPLACE FUNCTION vault_remove(which uuid, seen jsonb) RETURNS text
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF seen->>'status' NOT IN ('dropped', 'gone') THEN RETURN 'kept'; END IF;
  UPDATE vault_attempt SET state = 'removed'
  WHERE item = which AND item IN (SELECT item FROM vault_superseded);
  RETURN CASE WHEN FOUND THEN 'removed' ELSE 'again' END;
END $$;

-- The item that a line is about: its row's, since what failed before it was read has another. Of a line
-- that is no JSON, the first one that its text names.
CREATE OR REPLACE FUNCTION vault_item_of(line text) RETURNS uuid
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN coalesce(line::jsonb->'row'->>'item', line::jsonb->>'item')::uuid;
EXCEPTION WHEN data_exception THEN
  RETURN substring(line FROM '"item": ?"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"')::uuid;
END $$;

-- A receipt of what ended before it was known which item it was: no object can have come of it, and
-- the document that it was about is given back as one without a receipt.
CREATE OR REPLACE FUNCTION vault_is_nameless(line text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE r jsonb := line::jsonb;
BEGIN
  RETURN jsonb_typeof(r) = 'object' AND NOT r ?| ARRAY['item', 'row', 'object']
    AND coalesce(r->>'receipt' = 'vault/1', false)
    AND coalesce(r->>'status' IN ('failed', 'incomplete', 'cancelled'), false);
END $$;

-- The line as JSON, when it is an object about that item.
CREATE OR REPLACE FUNCTION vault_json(line text, which uuid) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE r jsonb := line::jsonb;
BEGIN
  IF which IS NULL OR jsonb_typeof(r) <> 'object' THEN
    RAISE data_exception USING MESSAGE = 'the line names no item';
  END IF;
  IF r->>'status' = 'stored' AND r->>'item' IS DISTINCT FROM which::text THEN
    RAISE data_exception USING MESSAGE = 'another item was stored than the row names';
  END IF;
  RETURN r;
END $$;

-- Objects that no document counts on: certain ones (a receipt says stored) and possible ones.
CREATE OR REPLACE VIEW vault_superseded AS
  SELECT a.item, a.document_id, a.object, a.receipt = 'stored' AS is_certain, a.state,
         a.worker, a.claimed_at, a.object_bytes, a.etag, a.token
  FROM vault_attempt a
  WHERE a.state IN ('lost', 'superseded') OR a.state = 'failed' AND a.receipt IS NULL;

-- The rows of such objects, as vault-drop takes them: each must say itself that it is of that item.
CREATE OR REPLACE FUNCTION vault_to_remove(named uuid[]) RETURNS SETOF text
LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
DECLARE n bigint;
BEGIN
  RETURN QUERY
    SELECT jsonb_build_object('item', item, 'source', object)::text
    FROM vault_superseded WHERE item = ANY (named) ORDER BY item;
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN NEXT jsonb_build_object('end', true, 'rows', n)::text;
END $$;

-- How far it is: one row a state, bytes of the originals where they are known.
CREATE OR REPLACE FUNCTION vault_progress()
RETURNS TABLE (state text, documents bigint, bytes numeric, newest timestamptz)
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT s.state, count(d.document_id), coalesce(sum(a.data_bytes), 0), max(d.changed_at)
  FROM unnest(ARRAY['pending', 'claimed', 'stored', 'verified', 'switched', 'retired', 'failed'])
    WITH ORDINALITY s(state, place)
  LEFT JOIN vault_document d ON d.state = s.state
  LEFT JOIN vault_attempt a ON a.item = d.item AND a.state = 'stored'
  GROUP BY s.state, s.place ORDER BY s.place
$$;

-- What other workers may still finish or give back, or what waits for its next try.
CREATE OR REPLACE FUNCTION vault_left() RETURNS bigint
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT count(*) FROM vault_document WHERE state IN ('pending', 'claimed')
$$;
COMMIT;
