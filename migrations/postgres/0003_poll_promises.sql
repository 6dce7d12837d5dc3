-- When which client was told to poll again: times of 8 bytes, each followed by 4 bytes that tell clients apart.
ALTER TABLE report ADD COLUMN promises bytea;
