-- report-html.sql: the same as one page, with plots in SVG and no script.
\pset format unaligned
\pset tuples_only on

CREATE FUNCTION pg_temp.words(t text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT replace(replace(replace(replace(
    regexp_replace(coalesce(t, '-'), '[\x01-\x1f\x7f\ufffe\uffff]', ' ', 'g'),
    '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;')
$$;

-- A table row of these words; numbers are set to the right by the style sheet.
CREATE FUNCTION pg_temp.tr(VARIADIC cells text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT '<tr>' || string_agg('<td>' || pg_temp.words(c) || '</td>', '' ORDER BY n) || '</tr>'
  FROM unnest(cells) WITH ORDINALITY u(c, n)
$$;

-- What happened when, cut into 60 slices of the time it took.
CREATE TEMPORARY TABLE slices AS
WITH span AS (
  SELECT coalesce(min(claimed_at), now()) AS from_time,
    greatest(coalesce(max(coalesce(ended_at, claimed_at)), now()), (SELECT max(changed_at) FROM vault_document))
      + interval '1 second' AS to_time
  FROM vault_attempt)
SELECT n, from_time + (to_time - from_time) * n / 60 AS until,
  extract(epoch FROM to_time - from_time) / 60 AS seconds,
  (SELECT count(*) FROM vault_document d WHERE d.stored_at <= from_time + (to_time - from_time) * n / 60) AS stored,
  (SELECT count(*) FROM vault_document d WHERE d.verified_at <= from_time + (to_time - from_time) * n / 60) AS verified,
  (SELECT count(*) FROM vault_document d WHERE d.switched_at <= from_time + (to_time - from_time) * n / 60) AS switched,
  (SELECT count(*) FROM vault_document d WHERE d.retired_at <= from_time + (to_time - from_time) * n / 60) AS retired,
  (SELECT coalesce(sum(a.data_bytes), 0) FROM vault_document d JOIN vault_attempt a USING (item)
   WHERE d.stored_at > from_time + (to_time - from_time) * (n - 1) / 60
     AND d.stored_at <= from_time + (to_time - from_time) * n / 60) AS bytes
FROM span, generate_series(0, 60) n;

CREATE FUNCTION pg_temp.line(what text, class text, most numeric) RETURNS text LANGUAGE sql AS $$
  SELECT format('<polyline class="%s" points="%s"/>', class,
    string_agg(40 + n * 9 || ',' || round(180 - 160 * (to_jsonb(s)->>what)::numeric / most, 1), ' ' ORDER BY n))
  FROM slices s
$$;

SELECT '<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><meta charset="UTF-8"/>
<title>Migration</title><style>
body { font: 15px/1.4 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin-bottom: 1.5em } td, th { padding: .2em .8em; border-bottom: 1px solid #ddd; text-align: left; overflow-wrap: anywhere }
svg { width: 100%; max-width: 620px; background: #fafafa } svg text { font: 11px sans-serif; fill: #444 }
polyline { fill: none; stroke-width: 2 } .stored { stroke: #1f77b4 } .verified { stroke: #2ca02c }
.switched { stroke: #ff7f0e } .retired { stroke: #7f7f7f } rect { fill: #1f77b4 } .failed { fill: #d62728 }
.axis { stroke: #999; stroke-width: 1 }
</style></head><body><h1>Migration</h1><p>' || to_char(now(), 'YYYY-MM-DD HH24:MI:SS TZ') || '</p>';

SELECT '<h2>Documents by state</h2><table><tr><th>state</th><th>documents</th><th>bytes</th></tr>'
  || string_agg(pg_temp.tr(state, documents::text, bytes::text), E'\n') || '</table>'
FROM vault_progress();

SELECT '<h2>Progress over time</h2><svg viewBox="0 0 620 220" role="img">'
  || '<title>documents stored, verified, switched, retired</title>'
  || '<polyline class="axis" points="40,20 40,180 580,180"/>'
  || pg_temp.line('stored', 'stored', most) || pg_temp.line('verified', 'verified', most)
  || pg_temp.line('switched', 'switched', most) || pg_temp.line('retired', 'retired', most)
  || format('<text x="2" y="24">%s</text><text x="28" y="184">0</text>', most)
  || format('<text x="40" y="198">%s</text><text x="580" y="198" text-anchor="end">%s</text>',
       to_char(first, 'MM-DD HH24:MI:SS'), to_char(last, 'MM-DD HH24:MI:SS'))
  || '<text x="60" y="215">blue stored, green verified, orange switched, grey retired</text></svg>'
FROM (SELECT greatest(max(stored), 1) AS most, min(until) AS first, max(until) AS last FROM slices) m;

SELECT '<h2>Throughput</h2><svg viewBox="0 0 620 200" role="img"><title>megabytes a second</title>'
  || '<polyline class="axis" points="40,20 40,180 580,180"/>'
  || string_agg(format('<rect x="%s" y="%s" width="7" height="%s"/>', 40 + (n - 1) * 9,
       round(180 - 160 * bytes / most, 1), round(160 * bytes / most, 1)), '' ORDER BY n)
  || format('<text x="2" y="16">%s MB/s</text></svg>', round(max(most / seconds) / 1e6, 2))
FROM slices, (SELECT greatest(max(bytes), 1) AS most FROM slices) m WHERE n > 0;

SELECT '<h2>Failures by kind</h2>' || coalesce(
  '<svg viewBox="0 0 620 ' || 20 + 22 * count(*) || '" role="img"><title>failures by kind</title>'
  || string_agg(format('<text x="2" y="%s">%s</text><rect class="failed" x="150" y="%s" width="%s" height="14"/><text x="%s" y="%s">%s</text>',
       n * 22, pg_temp.words(kind), n * 22 - 11, round(400.0 * documents / most, 1),
       round(156 + 400.0 * documents / most, 1), n * 22, documents), '' ORDER BY n) || '</svg>'
  || '<table><tr><th>kind</th><th>documents</th><th>example</th><th>message</th></tr>'
  || string_agg(pg_temp.tr(kind, documents::text, example, message), E'\n' ORDER BY n) || '</table>',
  '<p>none</p>')
FROM (
  SELECT row_number() OVER (ORDER BY count(*) DESC, kind) AS n, kind, count(*) AS documents,
    max(count(*)) OVER () AS most, min(document_id::text) AS example,
    (array_agg(message ORDER BY document_id::text))[1] AS message
  FROM vault_document WHERE state = 'failed' GROUP BY kind) f;

SELECT '<h2>Objects that no document counts on</h2><p>' || count(*) || '</p>' || coalesce(
  '<table><tr><th>item</th><th>object</th><th></th></tr>' || string_agg(pg_temp.tr(item::text, object,
    CASE WHEN is_certain THEN 'there' ELSE 'may be there' END), E'\n' ORDER BY item)
    FILTER (WHERE n <= :most) || '</table>', '')
FROM (SELECT *, row_number() OVER (ORDER BY item) AS n FROM vault_superseded) s;

SELECT '</body></html>';
