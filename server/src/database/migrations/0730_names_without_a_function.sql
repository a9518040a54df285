-- The records of a name are read as any rows are: Citus refuses a function of another user in a transaction that wrote.
drop function search_named(text, text[]);
