-- When people work, by their own clock: empty for the hours of the organization, and there for 8 to 18 on its working days
select add_field('users', 'working_hours', 'jsonb', '''[]''::jsonb');
alter table organizations add column working_hours jsonb not null default '[]';
