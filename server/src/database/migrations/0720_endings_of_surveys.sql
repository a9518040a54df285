-- What stands on the page after the last one besides its text: a heading, and a link that leads on.
select add_field('surveys', 'closing_title', 'text');
select add_field('surveys', 'closing_button', 'text');
select add_field('surveys', 'closing_url', 'text');

-- The endings by condition that a version of a survey had: whoever has answered it sees theirs again.
alter table survey_versions add column endings jsonb;
