-- The certificates with which an organization seals signed documents. One is current; earlier ones stay, so that
-- what was sealed with them is known as the organization's own.
create table signing_certificates (
  organization_id varchar(25) collate "C" not null references organizations deferrable,
  id varchar(25) collate "C" not null,
  -- PEM, the certificate itself first, then those that issued it
  certificates text not null,
  -- SHA-256 of the certificate itself, in hex
  fingerprint text collate "C" not null,
  -- PKCS #8 as PEM, encrypted; null of an earlier certificate
  private_key bytea,
  -- made by the service, not brought by the organization
  is_made_here boolean not null,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create unique index signing_certificates_current on signing_certificates (organization_id)
  where private_key is not null;
create index signing_certificates_fingerprint on signing_certificates (fingerprint);
select make_tenant('signing_certificates');

-- The time stamp service whose word every seal carries (RFC 3161); none without an address.
create table signing_settings (
  organization_id varchar(25) collate "C" primary key references organizations deferrable,
  timestamp_url text not null
);
select make_tenant('signing_settings');

-- When the owners of a document were notified that it could not be sealed yet.
alter table signature_requests add column seal_failed_at timestamptz(3);
