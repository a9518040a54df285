-- The summary as it was read out of a transcript: what stands in its place, a person wrote.
alter table meeting_transcripts add column summary text;
