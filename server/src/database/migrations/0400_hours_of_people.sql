-- the hours that a person works in a week, and the days on which they are away
select add_field('users', 'weekly_hours', 'double precision');
select add_field('users', 'absences', 'jsonb', '''[]''::jsonb');
