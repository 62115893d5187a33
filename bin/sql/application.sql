-- application.sql: the only place that knows the application's documents table. Adapt it.
--
--   psql -X -v ON_ERROR_STOP=1 -v bucket=legacy [-v schema=vault] [-v documents=public.documents]
--        [-v key=storage_key] [-v name="metadata->>'file_name'"] … -f application.sql
--
-- It may be run again at any time. Each variable below is an expression over a row of the table.

\if :{?schema} \else \set schema vault \endif
\if :{?documents} \else \set documents public.documents \endif
\if :{?id} \else \set id id \endif
\if :{?key} \else \set key storage_key \endif
\if :{?name} \else \set name 'metadata->>\'file_name\'' \endif
\if :{?media_type} \else \set media_type 'metadata->>\'media_type\'' \endif
\if :{?bytes} \else \set bytes 'metadata->>\'bytes\'' \endif
\if :{?sha3_256} \else \set sha3_256 'metadata->>\'sha3_256\'' \endif
\if :{?legacy} \else \set legacy 'upload_status = \'completed\' AND metadata->>\'storage_backend\' = \'s3\'' \endif
\if :{?served} \else \set served 'metadata->>\'storage_backend\' = \'vault\'' \endif
SET client_min_messages = warning;

BEGIN;
SET LOCAL search_path = :"schema", pg_temp;

-- What there is to migrate. `source` is where the plain object lies; what else is known of it must
-- hold, or the document fails. A row that leaves this view is not sealed any more.
CREATE OR REPLACE VIEW vault_source AS
  SELECT :id AS document_id, 's3://' || :'bucket' || '/' || (:key) AS source,
         (:name)::text AS name, (:media_type)::text AS media_type,
         (:bytes)::text AS bytes, (:sha3_256)::text AS sha3_256
  FROM :documents
  WHERE :legacy;

-- What the application serves from the new place; `object` has the form of `vault-migrate --to`.
CREATE OR REPLACE VIEW vault_served AS
  SELECT :id AS document_id, (:key)::text AS object_key
  FROM :documents
  WHERE :served;

-- The switch of one document: one UPDATE that finds the row only where it is still what was sealed.
-- Returns how many rows it changed: anything but 1 undoes the switch.
CREATE OR REPLACE FUNCTION vault_move(
  moved vault_document, from_source text, to_key text
) RETURNS bigint LANGUAGE sql VOLATILE BEGIN ATOMIC
  WITH changed AS (
    UPDATE :documents
    SET storage_key = to_key,
        metadata = metadata || jsonb_build_object('storage_backend', 'vault')
    WHERE :id = (moved).document_id AND (:legacy)
      AND 's3://' || :'bucket' || '/' || (:key) = from_source
    RETURNING 1
  )
  SELECT count(*) FROM changed;
END;
COMMIT;
