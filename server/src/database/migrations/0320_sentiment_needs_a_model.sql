-- The sentiment of texts was counted from a list of English words; without a model there is none.
update record_activity set sentiment = null where sentiment is not null;
