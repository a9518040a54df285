-- apps that nobody issued: clients which name themselves by the address of their own description, or
-- registered themselves, written down when a user of the organization approves one
alter table apps add column is_dynamic boolean not null default false;
-- the surface that the tokens of a grant are for: integration or mcp
alter table grants add column audience text not null default 'integration';
-- a client that belongs to no organization yet learns of it by who is signed in
create index browser_sessions_token on browser_sessions (token_hash);
