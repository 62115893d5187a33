-- rows.sql: the rows that the statement in `query` gives, one JSON line each, to standard output.
-- The quote and the delimiter are bytes that no JSON text has, so that COPY changes nothing.
\set copy 'COPY (' :query ') TO STDOUT (FORMAT csv, QUOTE E''\\x01'', DELIMITER E''\\x02'')'
:copy;
