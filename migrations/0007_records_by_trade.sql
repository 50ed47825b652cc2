-- After the column, so that only writes wait while the rows are looked through. None of them is in the index.
create unique index if not exists transactions_sole on transactions (tx_hash, user_address, action, chain) where is_sole and deleted_at is null;
