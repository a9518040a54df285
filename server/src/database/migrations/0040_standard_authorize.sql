-- apps whose server does not sign the address that opens consent: PKCE and exact addresses protect them
alter table apps add column standard_authorize boolean not null default false;
