-- Options that bodies named by their labels were stored as they came; they are stored by value now, and
-- conditions and totals compare by value. Labels are compared in any case; other words stay.
set local app.organization = '*';

-- currencies go by their codes, as amounts have them
update option_sets t set value = upper(t.value)
where t.module = 'projects' and t.set_name = 'currencies' and t.value <> upper(t.value)
  and not exists (select from option_sets o where o.organization_id = t.organization_id
    and o.module = t.module and o.set_name = t.set_name and o.value = upper(t.value));

do $$
declare each record;
begin
  for each in select * from (values
    ('companies', 'companies', 'company_type', 'types'),
    ('companies', 'companies', 'customer_segment', 'segments'),
    ('companies', 'companies', 'industry', 'industries'),
    ('companies', 'companies', 'revenue_range', 'revenue_ranges'),
    ('companies', 'companies', 'employee_range', 'employee_ranges'),
    ('contacts', 'contacts', 'lead_source', 'lead_sources'),
    ('contacts', 'contacts', 'lead_status', 'lead_statuses'),
    ('contacts', 'contacts', 'contact_stage', 'contact_stages'),
    ('contacts', 'contacts', 'person_category', 'person_categories'),
    ('contacts', 'contacts', 'seniority_level', 'seniority_levels'),
    ('contacts', 'contacts', 'buying_role', 'buying_roles'),
    ('contacts', 'contacts', 'preferred_communication_channel', 'preferred_communication_channels'),
    ('contacts', 'contacts', 'language', 'languages'),
    ('projects', 'projects', 'billing_model', 'billing_models'),
    ('projects', 'projects', 'billing_frequency', 'billing_frequencies'),
    ('projects', 'projects', 'lost_reason', 'lost_reasons'),
    ('stage_changes', 'projects', 'lost_reason', 'lost_reasons')
  ) as places (place, module, field, set_name)
  loop
    execute format($update$
      update %1$I t set %2$I = o.value from option_sets o
      where o.organization_id = t.organization_id and o.module = %3$L and o.set_name = %4$L
        and lower(o.label) = lower(t.%2$I) and o.value <> t.%2$I
        and not exists (select from option_sets v where v.organization_id = t.organization_id
          and v.module = %3$L and v.set_name = %4$L and v.value = t.%2$I)
    $update$, each.place, each.field, each.module, each.set_name);
  end loop;
end $$;
