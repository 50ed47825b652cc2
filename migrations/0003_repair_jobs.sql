-- A job of a third kind, `repair`, reads slots again from the chain. Which kinds there are is said by the service's schema.
alter table indexer_jobs drop constraint indexer_jobs_kind_check, drop constraint indexer_jobs_check;
-- How far a repair is, and what it has found, so that the next leader goes on there.
alter table indexer_jobs add column resume jsonb;
