-- The two users of history, for clickhouse-client as a user that may create others. Replace the passwords. docs/history.md says which
-- process has which.

create settings profile if not exists launch_registry_writer settings
  -- An insert is answered when most replicas have it, where there are any.
  insert_quorum = 'auto',
  max_memory_usage = 4000000000;

-- The service sends limits of its own with each statement, so readonly is 2 (settings may be changed) and not 1.
create settings profile if not exists launch_registry_reader settings
  readonly = 2,
  max_execution_time = 30 max 30,
  max_memory_usage = 4000000000 max 4000000000,
  max_result_bytes = 67108864 max 67108864,
  max_concurrent_queries_for_user = 32 const;

create user if not exists launch_registry_writer identified with sha256_password by 'REPLACE-WRITER'
  settings profile 'launch_registry_writer';

create user if not exists launch_registry_reader identified with sha256_password by 'REPLACE-READER'
  settings profile 'launch_registry_reader';

create quota if not exists launch_registry_reader keyed by user_name
  for interval 1 minute max queries = 12000, errors = 600, execution_time = 600
  to launch_registry_reader;

-- Without the right to create, the tables have to be there. Deleting is for trades that are sent again.
grant select, insert, alter delete, create table, create view on launch_registry.* to launch_registry_writer;
grant select on launch_registry.* to launch_registry_reader;
