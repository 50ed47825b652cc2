-- One record for user, transaction and action. Records from before this stay as they are, and so do those that the previous version writes.
alter table transactions add column is_sole boolean;
