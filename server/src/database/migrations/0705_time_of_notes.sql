-- when the call, mail or visit took place of which a note tells, if not when it was written
select add_field('interactions', 'happened_at', 'timestamptz');
