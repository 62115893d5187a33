-- load.sql: JSON lines from standard input, recorded; prints how many ended in which way.
-- Variables: kind, lines (how many were sent), each (commit after each line).
SET client_min_messages = warning;
CREATE TEMPORARY TABLE vault_line (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, line text, item uuid, outcome text);
\copy pg_temp.vault_line (line) FROM pstdin (FORMAT csv, QUOTE E'\x01', DELIMITER E'\x02')
CALL vault_load(:'kind', :lines, :'each');
SELECT outcome || ' ' || count(*) FROM pg_temp.vault_line GROUP BY outcome ORDER BY outcome;
