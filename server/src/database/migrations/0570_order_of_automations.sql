-- The order in which the automations of a survey are listed and started.
select add_field('survey_automations', 'position', 'integer', '0');
