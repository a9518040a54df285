-- the language and the zone in which a person is written to; those of the organization where null
alter table users
  add column language text check (language in ('en', 'de', 'fr', 'es', 'pt', 'nl')),
  add column timezone text;

-- addresses that want no more mails of a kind, such as surveys, by a keyed hash: they stay known after
-- the person was erased, and name nobody. People with a profile have preferences
create table mail_optouts (
  organization_id varchar(25) collate "C" not null,
  address_hash bytea not null,
  topic text not null,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, address_hash, topic)
);
select make_tenant('mail_optouts');

-- where a reply to the mail about a comment goes: whose it is, and the comment that it answers
create table reply_addresses (
  organization_id varchar(25) collate "C" not null,
  token_hash bytea not null,
  user_id varchar(25) collate "C" not null,
  interaction_id varchar(25) collate "C" not null,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, token_hash),
  constraint reply_addresses_user_id_fkey foreign key (organization_id, user_id) references users
    on delete cascade,
  constraint reply_addresses_interaction_id_fkey foreign key (organization_id, interaction_id)
    references interactions on delete cascade
);
create index reply_addresses_token on reply_addresses (token_hash);
create index reply_addresses_user on reply_addresses (organization_id, user_id);
create index reply_addresses_interaction on reply_addresses (organization_id, interaction_id);
select make_tenant('reply_addresses');

-- mails that became comments, so that one that is delivered twice is one comment
create table received_mails (
  organization_id varchar(25) collate "C" not null,
  message_hash bytea not null,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, message_hash)
);
select make_tenant('received_mails');

-- the due date of which the owner was notified the day before
alter table tasks add column due_tomorrow_notified_for date;
