-- Transactions of version 1 have up to 4,096 bytes.
alter table launch_submissions
  drop constraint launch_submissions_transaction_check,
  add constraint launch_submissions_transaction_check check (octet_length(transaction) <= 4096);
