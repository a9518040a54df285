-- From when on what a notification says is mailed, where an undo may take it back before.
alter table notifications add column mail_from timestamptz(3);
