-- The language in which a survey is written first, and its texts in others.
select add_field('surveys', 'language', 'text');
alter table surveys add column translations jsonb;
