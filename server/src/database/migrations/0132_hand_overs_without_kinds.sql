-- the links that were moved say what a hand-over was of; nothing reads the list of kinds
alter table hand_overs drop column kinds;
