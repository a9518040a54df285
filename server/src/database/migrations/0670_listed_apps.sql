-- an app that the operator lists for every organization, and what an organization has of one: its own row, found by the
-- client id that both have
alter table apps add column is_listed boolean not null default false;
alter table apps add column listed_in varchar(25) collate "C";
alter table apps add column listed_as varchar(25) collate "C";
