-- What was received of a transaction and is not all of it: the leader fetches the transaction from the chain, and deletes the row.
alter table inbox_poison
  add column signature text collate "C", -- Null where the body names none.
  add column slot bigint, -- As it was received; null where the body does not say.
  add column tries integer, -- How often the chain was asked.
  add column due_at timestamptz(3); -- When it is asked next; null where it is not.
create index inbox_poison_signature on inbox_poison (signature) where signature is not null;
create index inbox_poison_due on inbox_poison (due_at) where due_at is not null;
