-- report.sql: how far a migration is, for people.
\pset footer off
\pset border 0
\pset null '-'
\echo documents by state
SELECT state, documents, bytes, to_char(newest, 'YYYY-MM-DD HH24:MI:SS') AS newest
FROM vault_progress();

\echo rate of the last ten minutes in which something was stored
WITH last AS (SELECT max(stored_at) AS at FROM vault_document),
recent AS (
  SELECT count(*) AS documents, coalesce(sum(a.data_bytes), 0) AS bytes,
    greatest(extract(epoch FROM max(d.stored_at) - min(d.stored_at)), 1) AS seconds
  FROM vault_document d JOIN vault_attempt a USING (item), last
  WHERE d.stored_at > last.at - interval '10 minutes'),
todo AS (SELECT count(*) AS documents FROM vault_document WHERE state IN ('pending', 'claimed'))
SELECT round(recent.documents / seconds, 1) AS "documents/s",
  round(recent.bytes / seconds / 1e6, 2) AS "MB/s", todo.documents AS "to do",
  CASE WHEN recent.documents = 0 THEN NULL WHEN todo.documents = 0 THEN '0'
    ELSE make_interval(secs => round(todo.documents * seconds / recent.documents))::text END AS "ETA"
FROM recent, todo;

SELECT
  (SELECT count(*) > 0 FROM vault_document WHERE state = 'failed') AS has_failed,
  (SELECT count(*) > 0 FROM vault_document WHERE state <> 'failed' AND kind IS NOT NULL) AS has_held,
  (SELECT count(*) > 0 FROM vault_superseded) AS has_superseded,
  (SELECT count(*) > 0 FROM vault_bad_line) AS has_bad_lines \gset

\if :has_failed
\echo failed, by kind
SELECT d.kind, count(*) AS documents, min(d.document_id::text) AS example,
  (array_agg(left(d.message, 100) ORDER BY d.document_id::text))[1] AS message
FROM vault_document d WHERE state = 'failed' GROUP BY kind ORDER BY 2 DESC, 1;
\endif
\if :has_held
\echo held up (it will be tried again)
SELECT state, kind, count(*) AS documents, min(document_id::text) AS example,
  (array_agg(left(message, 100) ORDER BY document_id::text))[1] AS message
FROM vault_document WHERE state <> 'failed' AND kind IS NOT NULL
GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2;
\endif
\if :has_superseded
\echo objects that no document counts on (vault-retire --superseded ITEM removes one)
SELECT count(*) AS "all of them", count(*) FILTER (WHERE is_certain) AS "certainly there"
FROM vault_superseded;
SELECT item, document_id, object,
  CASE WHEN is_certain THEN 'there' ELSE 'may be there' END AS object_is, state
FROM vault_superseded ORDER BY is_certain DESC NULLS LAST, item LIMIT :most;
\endif
\if :has_bad_lines
\echo lines that could not be recorded (table vault_bad_line)
SELECT kind, count(*) AS lines, (array_agg(left(message, 100) ORDER BY id))[1] AS example
FROM vault_bad_line GROUP BY kind;
\endif
