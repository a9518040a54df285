-- the specification shows an id, a color and a status of every stage of a template; plans stored
-- without them get what a new one gets
update templates t set template_config = t.template_config || jsonb_build_object('stages', (
  select jsonb_agg(jsonb_build_object('stage_id', e.place::text, 'color', '#94A3B8',
      'status', '{"status_id": 1, "status_key": "not_started", "status_name": "Not started"}'::jsonb)
    || e.stage order by e.place)
  from jsonb_array_elements(t.template_config -> 'stages') with ordinality e (stage, place)))
where jsonb_typeof(t.template_config -> 'stages') = 'array'
  and jsonb_array_length(t.template_config -> 'stages') > 0;
