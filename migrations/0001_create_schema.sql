-- The schema, by subject: registry, records, launches, IPFS, bridge, access, notifications, log, index, popularity, operators.
--
-- Enumerations are text with a check, because arrays of enum types come back garbled from the driver. Addresses, hashes and other
-- keys have collation C: they are compared as bytes. Times of requests have milliseconds, which is what a cursor and an answer
-- carry; times of blocks have seconds. Amounts of clients are in whole tokens or with the decimals beside them, those of the chain
-- in smallest units. A table with the key `id boolean` has one row. Lists end in (created_at desc, id desc): every equality that a
-- list can ask for leads an index in that order, so that no filter makes the planner walk the newest rows in the hope of a match.

create extension if not exists pg_trgm;

-- Registry: tokens with their configuration and tags. ---------------------------------------------------------------------------

-- pg_trgm makes no trigrams of letters that LC_CTYPE does not know, of signs, and of words of one or two letters: each character
-- beyond ASCII, and each two in a row, whatever the locale is. Few texts have both characters of a word in a script of thousands.
create function letters_beyond_ascii(text text) returns text[] language plpgsql immutable strict parallel safe cost 1000
as $$
begin
  if octet_length(text) = length(text) then
    return '{}';
  end if;
  return array(
    select piece from (
      select letter, lead(letter) over (order by place) as next
      from string_to_table(text, null) with ordinality letters (letter, place)
    ) pairs, lateral (values (letter), (case when octet_length(next) > 1 then letter || next end)) pieces (piece)
    where octet_length(letter) > 1 and piece is not null
  );
end $$;

create table tokens (
  id uuid primary key, mint_address text collate "C" not null, name text not null, symbol text not null,
  description text not null default '', total_supply numeric not null check (total_supply >= 0 and scale(total_supply) <= 40),
  decimals smallint not null check (decimals between 0 and 18),
  owner text collate "C" not null, launchpad text not null check (launchpad in ('launchpad_a', 'launchpad_b')),
  tags text[] not null default '{}', active boolean not null default true,
  token_uri text not null default '', banner_uri text not null default '',
  website text not null default '', twitter text not null default '', telegram text not null default '',
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null, deleted_at timestamptz(3),
  -- A token that the chain registered waits for one POST that completes it.
  registered_by text not null default 'client' check (registered_by in ('client', 'chain')),
  pool text collate "C", -- Null while the chain does not know the mint.
  config text collate "C",
  quote_mint text collate "C",
  dbc_config jsonb, -- As it was sent, amounts as decimal strings: it is read and written whole.
  claimed jsonb, -- What a client had registered before the chain said otherwise; it comes back when the launch is rolled back.
  completed_at timestamptz(3), verified boolean not null default false -- By an operator.
);
create unique index tokens_mint_address on tokens (mint_address) where deleted_at is null;
create index tokens_recent on tokens (created_at desc, id desc) where deleted_at is null;
create index tokens_launchpad on tokens (launchpad, created_at desc, id desc) where deleted_at is null;
create index tokens_active on tokens (active, created_at desc, id desc) where deleted_at is null;
create index tokens_owner on tokens (owner, created_at desc, id desc) where deleted_at is null;
create index tokens_text on tokens using gin (lower(symbol || e'\n' || name || e'\n' || description) gin_trgm_ops)
  where deleted_at is null;
-- Whether a mint was ever registered, deleted or not, is asked at each launch.
create index tokens_mint_ever on tokens (mint_address);
-- Indexes of words find the URIs that name a CID, however they write it: a word is between what no CID has in it. Texts are
-- bounded, because an entry has at most 2,700 bytes. With a list of pending entries each search would read that list.
create index tokens_words on tokens using gin (regexp_split_to_array(
  left(token_uri, 2048) || ' ' || left(banner_uri, 2048) || ' ' || left(website, 2048) || ' ' || left(twitter, 2048) || ' '
    || left(telegram, 2048) || ' ' || coalesce(left(claimed ->> 'tokenUri', 2048), ''),
  '(%[0-9A-Fa-f]{2}|[^A-Za-z0-9_-])+')) with (fastupdate = off);
create index tokens_verified on tokens (verified, created_at desc, id desc) where deleted_at is null;
-- Each search reads the list of pending entries; without one an insertion would take longer.
create index tokens_beyond_ascii on tokens using gin (letters_beyond_ascii(lower(symbol || e'\n' || name || e'\n' || description)))
  with (gin_pending_list_limit = 256) where deleted_at is null;
create index tokens_by_symbol on tokens (lower(symbol) text_pattern_ops) where deleted_at is null;
create index tokens_by_name on tokens (lower(name) text_pattern_ops) where deleted_at is null;
-- What changed is sent to ClickHouse.
create index tokens_changed on tokens (greatest(updated_at, deleted_at), id);

-- One row a tag of a token that is not deleted: with an array index the planner would walk the newest tokens instead, which reads the whole table when few of
-- them have the tag.
create table token_tags (
  tag text collate "C" not null, token_id uuid not null references tokens (id) on delete cascade, created_at timestamptz(3) not null,
  primary key (tag, token_id)
);
create index token_tags_token on token_tags (token_id);
create index token_tags_recent on token_tags (tag, created_at desc, token_id desc);
create function list_tags() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from token_tags where token_id = new.id;
  end if;
  if new.deleted_at is null then
    insert into token_tags (tag, token_id, created_at) select tag, new.id, new.created_at from unnest(new.tags) tag;
  end if;
  return null;
end $$;
create trigger list_new_tags after insert on tokens for each row when (new.tags <> '{}') execute function list_tags();
create trigger list_changed_tags after update of tags, deleted_at, created_at on tokens for each row
  when ((new.tags, new.deleted_at, new.created_at) is distinct from (old.tags, old.deleted_at, old.created_at))
  execute function list_tags();

-- An audit trail of what the chain corrected: rows are added and never changed.
create table token_corrections (
  id uuid primary key, token_id uuid not null, mint_address text collate "C" not null, corrected_at timestamptz(3) not null,
  corrected_by text not null check (corrected_by in ('chain', 'rollback')), pool text collate "C" not null, before jsonb not null,
  after jsonb not null
);
create index token_corrections_recent on token_corrections (corrected_at desc);

-- How far a work of the server is, and when it was last done: a row for each, which is its lock.
create table server_progress (
  name text primary key,
  done_at timestamptz not null default '-infinity',
  compared_to text collate "C" not null default '', -- The last key of a comparison in turn: of launches with their listings, for the registry.
  is_compared boolean not null default false, -- Whether all were compared since it started over.
  change_id bigint, -- The last commit of the index that was followed; null before the first.
  must_start_over boolean not null default false, -- It has to be compared with the tables of the indexer as a whole.
  unread_id bigint, -- The last commit that was passed over in part, because the version that applied it could not read all of it.
  started_over_id bigint, -- When it last started over from the tables, and with which commit.
  started_over_at timestamptz
);
insert into server_progress (name) values ('statuses'), ('labels'), ('names'), ('sizes'), ('ranks'), ('records'),
  ('price requests'), ('price sweeps'), ('notifications'), ('documents');
insert into server_progress (name, change_id, must_start_over) values ('registry', 0, true);
-- What was built and never signed is deleted up to this time of creation.
insert into server_progress (name, done_at)
  values ('prices', now()), ('configs', '1900-01-01Z'), ('deployments', '1900-01-01Z');

-- What a launched token is called on chain, as last read: whoever may update its metadata can rename it. A launch whose metadata was
-- never read has no row, and is called what it was launched as.
create table token_labels (
  mint text collate "C" primary key, name text not null, symbol text not null, uri text not null,
  is_final boolean not null, -- Nobody can change it any more.
  slot bigint not null, -- Of the read.
  read_at timestamptz(3) not null
);

-- What metadata documents say that are stored elsewhere, by the URI that a launch has: a queue, and what was fetched.
create table fetched_documents (
  mint text collate "C" primary key, uri text not null,
  site text collate "C" not null, -- By what requests are bounded.
  attempts smallint not null default 0, -- Claims.
  due_at timestamptz(3), -- Due time and lease, the launch at first; null once it was fetched or given up.
  fault text, -- Of the last attempt.
  document jsonb, source text, fetched_at timestamptz(3),
  check ((document is null) = (fetched_at is null) and (document is null) = (source is null))
);
create index fetched_documents_due on fetched_documents (site, attempts, due_at) where due_at is not null;

-- Names and symbols that look alike, derived from the registry and the index: a row for each key that one is compared by.
create table token_skeletons (
  mint_address text collate "C" not null,
  field text collate "C" not null check (field in ('name', 'symbol')), skeleton text collate "C" not null,
  is_claim boolean not null, -- Registered and not launched: behind all launches.
  since bigint not null, -- The slot of the launch, or the time of the registration in milliseconds.
  quote_mint text collate "C",
  size smallint, -- Binary logarithm of the volume of seven days in smallest units of the quote token.
  is_verified boolean not null, primary key (mint_address, field, skeleton)
);
create index token_skeletons_oldest on token_skeletons (skeleton, field, is_claim, since, mint_address);
create index token_skeletons_largest on token_skeletons (skeleton, field, quote_mint, size desc, mint_address) where size is not null;
create index token_skeletons_verified on token_skeletons (skeleton, field, mint_address) where is_verified;

-- A row is an explicit decision; a mint without one was never decided on.
create table token_whitelist (
  mint_address text collate "C" primary key, whitelisted boolean not null, updated_at timestamptz(3) not null
);
create index token_whitelist_recent on token_whitelist (updated_at desc, mint_address desc);
create index token_whitelist_decided on token_whitelist (whitelisted, updated_at desc, mint_address desc);

-- How many wallets held a token when its holders were last read from the chain; where `is_whole` is false, at least so many.
create table holder_counts (
  mint_address text collate "C" primary key, holders integer not null, is_whole boolean not null, counted_at timestamptz(3) not null,
  top10_share double precision -- Of the supply then; null where the largest holders were not known.
);

-- Prices of quote tokens by minute, from the source that PRICE_URL names: one whole token is worth `usd` US dollars.
create table quote_prices (
  quote_mint text collate "C" not null, minute timestamptz(0) not null,
  usd numeric(36, 18) not null check (usd > 0), read_at timestamptz(3) not null, primary key (quote_mint, minute)
);

-- Records: transactions of clients, and of the service for bridges and deployments. ---------------------------------------------

create table transactions (
  id uuid primary key, -- A BRIDGE record has the id of its swap.
  user_address text collate "C" not null, -- EVM addresses of swaps in lower case: their case is a checksum, and no part of them.
  tx_hash text collate "C" not null, action text not null check (action in ('BUY', 'SELL', 'BRIDGE', 'DEPLOY')),
  base_token text collate "C" not null, quote_token text collate "C" not null,
  amount_in numeric not null check (amount_in >= 0 and scale(amount_in) <= 40),
  amount_out numeric not null check (amount_out >= 0 and scale(amount_out) <= 40),
  price_per_token numeric not null check (price_per_token >= 0 and scale(price_per_token) <= 40),
  slippage_bps integer not null check (slippage_bps between 0 and 10000),
  fee numeric not null check (fee >= 0 and scale(fee) <= 40), fee_token text collate "C" not null,
  status text not null check (status in ('pending', 'success', 'failed')), chain text collate "C" not null,
  pool_address text collate "C" not null,
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null, deleted_at timestamptz(3),
  last_valid_block_height numeric(20) check (last_valid_block_height between 0 and 18446744073709551615), -- Until when it can land.
  status_reason text check (char_length(status_reason) <= 300), -- Why it failed.
  amount_in_decimals smallint not null default 0 check (amount_in_decimals between 0 and 255), -- Units of the amounts; 0 for whole tokens.
  amount_out_decimals smallint not null default 0 check (amount_out_decimals between 0 and 255),
  fee_decimals smallint not null default 0 check (fee_decimals between 0 and 255),
  is_reported boolean not null default false, -- A client reported the status, and the chain has not answered since.
  -- The one record of its user, transaction and action; false for one beside it, null for a BRIDGE or DEPLOY record.
  is_sole boolean,
  -- What the user traded on the pool of a launch in the quote token of that pool, as the chain says it, in whole tokens.
  quote_volume numeric check (quote_volume >= 0)
);
create index transactions_recent on transactions (created_at desc, id desc) where deleted_at is null;
create index transactions_user on transactions (user_address, created_at desc, id desc) where deleted_at is null;
create index transactions_base on transactions (base_token, created_at desc, id desc) where deleted_at is null;
create index transactions_quote on transactions (quote_token, created_at desc, id desc) where deleted_at is null;
create index transactions_chain on transactions (chain, created_at desc, id desc) where deleted_at is null;
create index transactions_status on transactions (status, created_at desc, id desc) where deleted_at is null;
create index transactions_action on transactions (action, created_at desc, id desc) where deleted_at is null;
create index transactions_hash on transactions (tx_hash);
-- A launch has one DEPLOY record.
create unique index transactions_deploy on transactions (pool_address) where action = 'DEPLOY';
-- What the chain is asked about every few seconds. However many records have ended, they are not in it.
create index transactions_unsettled on transactions (created_at desc, id desc)
  where (status = 'pending' or is_reported) and chain = 'solana' and action <> 'BRIDGE' and deleted_at is null;
-- One record for user, transaction and action.
create unique index transactions_sole on transactions (tx_hash, user_address, action, chain) where is_sole and deleted_at is null;


-- Launches: what the builders remember, and what lists of launches are read from. -----------------------------------------------

-- Configurations. Of those that were built here what they were built with, and for which token, never their keys: deploy-token
-- can follow before the configuration has landed. Of those on chain what they say there, which never changes: the server reads it
-- once. Where the key was used for another configuration than the built one, the two differ.
create table launch_configs (
  config_address text collate "C" primary key, created_at timestamptz(3) not null default now(),
  signer text collate "C", launchpad text check (launchpad in ('launchpad_a', 'launchpad_b')), quote_mint text collate "C",
  token_type smallint check (token_type in (0, 1)), token_decimals smallint, dbc_config jsonb, metadata jsonb,
  base_decimals smallint, quote_decimals smallint, supply numeric, migration_quote_threshold numeric, start_sqrt_price numeric,
  token_update_authority smallint, -- Of the configuration on chain, as those before it.
  check (num_nulls(signer, launchpad, quote_mint, token_type, token_decimals) in (0, 5)),
  check (num_nulls(base_decimals, quote_decimals, supply, migration_quote_threshold, start_sqrt_price) in (0, 5))
);
create index launch_configs_words on launch_configs using gin (regexp_split_to_array(
  (metadata - 'description')::text, '(%[0-9A-Fa-f]{2}|[^A-Za-z0-9_-])+')) with (fastupdate = off);
create index launch_configs_created on launch_configs (created_at);

-- Built deployments: where the pool of a mint will be, and what was sent with it. The same mint can be built for several
-- configurations; the wallet decides which of them lands. What was sent first by a signer with a URI counts.
create table launch_deployments (
  base_mint text collate "C" not null, signer text collate "C" not null, uri text collate "C" not null,
  config_address text collate "C" not null, pool text collate "C" not null, name text not null, symbol text not null,
  metadata jsonb not null, created_at timestamptz(3) not null, primary key (base_mint, signer, uri, config_address)
);
create index launch_deployments_words on launch_deployments using gin (regexp_split_to_array(
  left(uri, 2048) || ' ' || (metadata - 'description')::text, '(%[0-9A-Fa-f]{2}|[^A-Za-z0-9_-])+')) with (fastupdate = off);
create index launch_deployments_created on launch_deployments (created_at);

-- Lists of launches by stage: a row for each pool, derived by the server from the index and the registry.
create table launch_listings (
  pool text collate "C" primary key, base_mint text collate "C" not null, config text collate "C" not null,
  creator text collate "C" not null, quote_mint text collate "C" not null,
  stage text collate "C" not null check (stage in ('curve', 'completed', 'migrated')), is_registered boolean not null,
  launched_at timestamptz(0) not null, graduated_at timestamptz(0),
  progress integer not null default 0 -- In millionths; 0 while it is not known.
);
create index launch_listings_mint on launch_listings (base_mint);
create index launch_listings_newest on launch_listings (launched_at desc, pool desc);
create index launch_listings_registered on launch_listings (is_registered, launched_at desc, pool desc);
create index launch_listings_stage on launch_listings (stage, launched_at desc, pool desc);
create index launch_listings_progress on launch_listings (progress desc, pool desc) where stage = 'curve';
create index launch_listings_graduated on launch_listings (graduated_at desc, pool desc) where stage = 'migrated';
create index launch_listings_config on launch_listings (config, launched_at desc, pool desc);
create index launch_listings_config_completed on launch_listings (config, launched_at desc, pool desc) where stage = 'completed';
create index launch_listings_config_progress on launch_listings (config, progress desc, pool desc) where stage = 'curve';
create index launch_listings_config_graduated on launch_listings (config, graduated_at desc, pool desc) where stage = 'migrated';
create index launch_listings_creator on launch_listings (creator, launched_at desc, pool desc);
create index launch_listings_quote on launch_listings (quote_mint, launched_at desc, pool desc);

-- Signed transactions on their way to the chain.
create table launch_submissions (
  signature text collate "C" primary key,
  transaction bytea check (octet_length(transaction) <= 4096), -- As large as version 1 allows; forgotten once it has ended.
  signers text[] not null, programs text[] not null, blockhash text collate "C" not null, last_valid_block_height bigint,
  skips_preflight boolean not null,
  state text not null check (state in ('pending', 'processed', 'confirmed', 'finalized', 'failed', 'expired')), slot bigint,
  error jsonb, version integer not null, -- Changes that callers see.
  attempts integer not null, -- Claims.
  sends integer not null, next_check_at timestamptz(3) not null, -- Due time and lease of one that has not ended.
  record_id uuid, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, settled_at timestamptz(3),
  check ((transaction is null) = (settled_at is not null))
);
create index launch_submissions_due on launch_submissions (next_check_at) where settled_at is null;
create index launch_submissions_settled on launch_submissions (settled_at) where settled_at is not null;

-- IPFS: the embedded store, and the outbox to other backends. -------------------------------------------------------------------

-- Keyed by the CID with its multihash, so the same block is kept once whatever it is part of.
create table ipfs_blocks (cid text collate "C" primary key, bytes bytea not null);
-- Images and compressed data gain nothing from another compression.
alter table ipfs_blocks alter column bytes set storage external;

create table ipfs_uploads (
  cid text collate "C" primary key, content_type text not null,
  size_bytes bigint not null check (size_bytes >= 0), created_at timestamptz(3) not null,
  used_at timestamptz(3) not null, -- Last uploaded, or last found to be named.
  links text[] collate "C" not null -- CIDs of its other blocks, and those that a metadata document names.
);
create index ipfs_uploads_created on ipfs_uploads (created_at desc);
create index ipfs_uploads_used on ipfs_uploads (used_at, cid);
create index ipfs_uploads_links on ipfs_uploads using gin (links) with (fastupdate = off);

-- What backends have of the content, and what they are still to get.
create table ipfs_deliveries (
  cid text collate "C" not null, backend text collate "C" not null check (backend in ('filebase', 'w3up')),
  -- The place at the backend (its bucket, its space): another place has nothing of what this one has.
  destination text collate "C" not null, content_type text not null,
  size_bytes bigint not null check (size_bytes >= 0), created_at timestamptz(3) not null, delivered_at timestamptz(3),
  attempts integer not null default 0, next_attempt_at timestamptz(3) not null, last_error text,
  primary key (cid, backend, destination)
);
create index ipfs_deliveries_due on ipfs_deliveries (backend, destination, next_attempt_at) where delivered_at is null;
create index ipfs_deliveries_created on ipfs_deliveries (created_at);

-- Bridge: cross-chain swaps that were quoted here, and what follows them to their end. ------------------------------------------

-- The table is the queue: what has a next_poll_at is watched. Every write that says something raises the version, and a write on
-- top of another version than it read does not happen. Addresses are kept as they were written, and found by their key in any case
-- that means the same: the case of an EVM address is a checksum.
create table bridge_swaps (
  id uuid primary key, user_address text collate "C" not null, user_key text collate "C" not null generated always as (
    case when user_address ~ '^0x[0-9a-fA-F]{40}$' then lower(user_address) else user_address end) stored,
  origin_asset text collate "C" not null, destination_asset text collate "C" not null, origin_chain text collate "C" not null,
  destination_chain text collate "C" not null, origin_decimals smallint not null, destination_decimals smallint not null,
  swap_type text not null check (swap_type in ('EXACT_INPUT', 'EXACT_OUTPUT', 'FLEX_INPUT')), recipient text collate "C" not null,
  recipient_type text not null check (recipient_type in ('DESTINATION_CHAIN', 'INTENTS')), refund_to text collate "C" not null,
  slippage_tolerance integer not null check (slippage_tolerance between 0 and 10000), -- In basis points.
  app_fees jsonb not null, has_api_key boolean not null, deposit_address text collate "C" not null,
  deposit_key text collate "C" not null generated always as (
    case when deposit_address ~ '^0x[0-9a-fA-F]{40}$' then lower(deposit_address) else deposit_address end) stored,
  deposit_memo text collate "C", -- On chains with memos swaps share an address.
  deposit_by timestamptz(3) not null, inactive_at timestamptz(3) not null, time_estimate_seconds double precision not null,
  amount_in numeric not null check (amount_in >= 0), amount_out numeric not null check (amount_out >= 0),
  min_amount_in numeric not null, min_amount_out numeric not null, signed_quote text not null, correlation_id text,
  idempotency_key text collate "C" unique, request_hash text collate "C", -- Of the request that it was quoted for.
  status text not null check (status in ('pending', 'success', 'failed')), substatus text not null, upstream_status text,
  -- Whether the swap service itself has shown a deposit: such swaps are polled first, because anybody may make others.
  deposit_shown boolean not null default false, deposited_amount numeric, missing_amount numeric, refunded_amount numeric,
  refund_reason text, origin_txs jsonb not null default '[]', destination_txs jsonb not null default '[]',
  stalled boolean not null default false, needs_review boolean not null default false, created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null, progressed_at timestamptz(3) not null, last_checked_at timestamptz(3),
  next_poll_at timestamptz(3), lease_until timestamptz(3), attempts integer not null default 0,
  version integer not null default 1,
  deposit_type text not null default 'ORIGIN_CHAIN' check (deposit_type in ('ORIGIN_CHAIN', 'INTENTS')),
  refund_type text not null default 'ORIGIN_CHAIN' check (refund_type in ('ORIGIN_CHAIN', 'INTENTS')), amount_in_usd text,
  amount_out_usd text, deposited_amount_usd text, refunded_amount_usd text, slippage double precision, refund_fee numeric,
  withdraw_fee numeric, intent_hashes jsonb not null default '[]', near_tx_hashes jsonb not null default '[]',
  events jsonb not null -- What happened to it, oldest first: only added to. `raw` of an event is the answer that it came with.
);
create unique index bridge_swaps_address on bridge_swaps (deposit_key, coalesce(deposit_memo, ''));
create index bridge_swaps_due on bridge_swaps (deposit_shown, next_poll_at) where next_poll_at is not null;
create index bridge_swaps_abandoned on bridge_swaps (inactive_at) where next_poll_at is null and not deposit_shown;
create index bridge_swaps_address_recent on bridge_swaps (deposit_key, created_at desc, id desc);
create index bridge_swaps_recent on bridge_swaps (created_at desc, id desc);
create index bridge_swaps_user on bridge_swaps (user_key, created_at desc, id desc);
create index bridge_swaps_status on bridge_swaps (status, created_at desc, id desc);
-- Few swaps need a person; operators list these.
create index bridge_swaps_review on bridge_swaps (created_at desc, id desc) where needs_review;

-- Reported deposits, which looks at their swap submit. Anybody may report: what the swap service took counts, what it refused to
-- the end does not.
create table bridge_deposits (
  swap_id uuid not null references bridge_swaps (id), tx_hash text collate "C" not null, near_sender_account text collate "C",
  reported_at timestamptz(3) not null, delivered_at timestamptz(3), is_refused boolean not null default false,
  next_attempt_at timestamptz(3), attempts integer not null default 0, last_error text, primary key (swap_id, tx_hash)
);

-- What all processes together know of the swap service, by what it is asked for: a token bucket of requests, full at first, a
-- breaker, and the patience that it asked for.
create table bridge_upstream (
  name text primary key, tokens double precision not null default 1000, refilled_at timestamptz(3) not null default 'epoch',
  failures integer not null default 0, reason text, rests_until timestamptz(3), paused_until timestamptz(3),
  answered_at timestamptz(3), -- When it last answered, whatever it said; null before it did.
  assets text, assets_at timestamptz(3) -- Of `tokens`: the list that it last answered, and when.
);
insert into bridge_upstream (name) values ('watch'), ('quote'), ('tokens');

-- Access: repeated requests, limits, credentials, and who wrote. ----------------------------------------------------------------

-- Requests that came with an Idempotency-Key. A row stands before the work begins, so that the same request does not begin it as
-- well. The answer is written in the transaction that it is about; one without a status is made again by whoever made it. The
-- nonces of requests that wallets signed are rows as well: each is used once.
create table idempotent_requests (
  caller text collate "C" not null, key_hash bytea not null, -- Not the key: whoever reads the table could ask for the answers.
  operation text collate "C" not null, request_hash bytea not null, state text not null check (state in ('in_flight', 'answered')),
  claim uuid not null, -- Of whoever does the work; it ends with `lease_until` unless it is kept up.
  lease_until timestamptz(3) not null, created_at timestamptz(3) not null, status smallint, content_type text, location text,
  cache_control text, body bytea, primary key (caller, key_hash)
);
create index idempotent_requests_created on idempotent_requests (created_at);

-- Requests of a window. Not logged: after a crash of the server everybody has a new one.
create unlogged table rate_limit_windows (
  client text collate "C" primary key, ends_at timestamptz(3) not null, taken integer not null, needed integer not null,
  granted integer not null
);
create index rate_limit_windows_ends_at on rate_limit_windows (ends_at);

-- Uploads, or records, of a client on the UTC day of the last one.
create table write_days (
  client text collate "C" not null, resource text not null, day date not null, writes integer not null, primary key (client, resource)
);

create table api_keys (
  id text collate "C" primary key, name text not null,
  scopes text[] not null check (scopes <@ array['read', 'write', 'admin'] and cardinality(scopes) > 0),
  secret_hash bytea not null, -- The secret itself is not kept.
  created_at timestamptz(3) not null, lifetime_days integer, expires_at timestamptz(3), revoked_at timestamptz(3),
  last_used_at timestamptz(3), family text collate "C" -- The id of the first of the keys that replaced one another.
);

-- A row stands before the work, and gets its status with the answer.
create table audit_log (
  id bigint generated always as identity primary key, at timestamptz(3) not null,
  caller_kind text not null check (caller_kind in ('key', 'wallet')), caller_id text collate "C" not null,
  caller_name text not null, method text not null, route text collate "C" not null, subject text,
  request_id text collate "C" not null, status smallint,
  reason text -- That an operator gave.
);
create index audit_log_at on audit_log (at);
create index audit_log_caller on audit_log (caller_id, at);
create index audit_log_subject on audit_log (subject, at) where subject is not null;
-- A user reports the id of a request, which the log is searched for.
create index audit_log_request on audit_log (request_id);

-- Notifications: endpoints that events are sent to, and one message for each endpoint and event. --------------------------------

-- Signing secrets are derived from a setting and the version, so none is stored. The row of a deleted endpoint goes once its
-- messages are gone.
create table notification_endpoints (
  id uuid primary key, owner text collate "C" not null, url text not null, description text not null,
  types text[] not null check (cardinality(types) > 0), mint_addresses text[] not null,
  state text not null check (state in ('enabled', 'disabled', 'deleted')),
  disabled_reason text check (disabled_reason in ('by_owner', 'gone', 'failing')), secret_version integer not null,
  previous_secret_until timestamptz(3), after_change bigint not null, failing_since timestamptz(3), last_failed_at timestamptz(3),
  is_skipping boolean not null, skipped_messages bigint not null, last_skipped_at timestamptz(3),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  check ((state = 'disabled') = (disabled_reason is not null))
);
create index notification_endpoints_list on notification_endpoints (created_at desc, id desc);
create index notification_endpoints_owner on notification_endpoints (owner, created_at desc, id desc);

create table notification_messages (
  id uuid primary key,
  endpoint_id uuid not null references notification_endpoints (id) on delete cascade, type text not null, body text not null,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null, -- Since it was created or redelivered.
  next_attempt_at timestamptz(3) not null, -- Due time and lease of a pending message.
  last_status smallint, last_error text,
  history jsonb not null default '[]', -- The newest attempts, as they are answered.
  version integer not null, created_at timestamptz(3) not null, settled_at timestamptz(3),
  check ((state = 'pending') = (settled_at is null))
);
create index notification_messages_due on notification_messages (endpoint_id, next_attempt_at) where state = 'pending';
create index notification_messages_list on notification_messages (endpoint_id, created_at desc, id desc);
create index notification_messages_state on notification_messages (endpoint_id, state, created_at desc, id desc);
create index notification_messages_settled on notification_messages (settled_at) where state <> 'pending';


-- Log: what was received of the chain, as it was received, and what is known of its completeness. -------------------------------

-- The log is read in the order of its offsets, so they are handed out in the order of commits: by this one row.
create table inbox_head (
  id boolean primary key default true check (id), next_offset bigint not null,
  -- Slots whose transactions were deleted (-1: none).
  pruned_from_slot bigint not null default -1, pruned_to_slot bigint not null default -1,
  closed_from_slot bigint not null default -1, -- Slots of which the log takes no transaction: their trades leave PostgreSQL.
  closed_to_slot bigint not null default -1
);
insert into inbox_head (next_offset) values (1);

-- Bodies as they came, compressed together.
create table inbox_segments (
  log_offset bigint primary key, source text not null, received_at timestamptz(3) not null, first_slot bigint not null,
  last_slot bigint not null, positions integer[] not null, -- Of the transactions in it that were new.
  bytes bytea not null
);
-- They are compressed already.
alter table inbox_segments alter column bytes set storage external;
-- What may be deleted, oldest first, as below for poison and dead letters.
create index inbox_segments_last_slot on inbox_segments (last_slot);

create table inbox_transactions (
  slot bigint not null, signature text collate "C" not null, log_offset bigint not null, position integer not null,
  primary key (slot, signature)
);
-- Appended in the order of the log, so a summary of pages is enough to find what came after an offset.
create index inbox_transactions_log_offset on inbox_transactions using brin (log_offset) with (autosummarize = on);

-- What no slot and signature could be read from, and what is not all of its transaction: that one the leader fetches from the chain, and
-- deletes the row.
create table inbox_poison (
  digest bytea primary key, received_at timestamptz(3) not null, source text not null, reason text not null, bytes bytea not null,
  signature text collate "C", -- Null where the body names none.
  slot bigint, -- As it was received; null where the body does not say.
  tries integer, -- How often the chain was asked.
  due_at timestamptz(3) -- When it is asked next; null where it is not.
);
create index inbox_poison_received on inbox_poison (received_at);
create index inbox_poison_signature on inbox_poison (signature) where signature is not null;
create index inbox_poison_due on inbox_poison (due_at) where due_at is not null;

-- What was received and is not on the finalized chain: forged, or of a dropped fork.
create table inbox_dropped (
  log_offset bigint not null, position integer not null, slot bigint not null, signature text collate "C" not null,
  reason text not null, dropped_at timestamptz(3) not null, primary key (log_offset, position)
);

-- What was received and could not be decoded.
create table dead_letters (
  log_offset bigint not null, position integer not null, slot bigint not null, signature text collate "C" not null,
  reason text not null, module_hash text not null, primary key (log_offset, position)
);
create index dead_letters_slot on dead_letters (slot);

-- Slots of which everything of the program, or of a migrated pool, is in the log up to an offset; the stretches of one do not overlap.
create table coverage (
  pool text collate "C" not null default '', -- Empty for the program.
  from_slot bigint not null, to_slot bigint not null, proven_by text not null, proven_at timestamptz(3) not null,
  log_offset bigint not null,
  first_signature text collate "C", -- The lowest that was listed: a listing of the slots below begins there. Null where nothing was listed.
  primary key (pool, from_slot), check (from_slot <= to_slot)
);

-- Which migrated pools are followed, from which slot on, and when each is next compared with the chain.
create table followed_pools (
  pool text collate "C" primary key,
  venue text collate "C", -- Null for a pool of a program whose trades are not derived; it is not followed.
  from_slot bigint not null, active_slot bigint not null, -- Of its newest known transaction.
  followed_at timestamptz(3) not null, proven_at timestamptz(3), due_at timestamptz(3) not null,
  failures integer not null default 0, -- Comparisons that were not complete, since the last one that was.
  retry_at timestamptz(3), -- When what could not be proven is tried again.
  -- An operator said that slots up to this one are not proven any more: no RPC endpoint has them.
  forgone_to_slot bigint not null default -1
);
create index followed_pools_due on followed_pools (due_at) where venue is not null;
create index followed_pools_active on followed_pools (active_slot desc) where venue is not null;
create index followed_pools_newest on followed_pools (followed_at) where venue is not null;

create table leases (name text primary key, holder text not null, token bigint not null, expires_at timestamptz not null);

-- What the leader last said of itself, of its webhook and of other parts, to be read from another replica; `windows` is how far trades
-- are counted.
create table indexer_reports (name text primary key, report jsonb not null, reported_at timestamptz(3) not null);

-- Index: facts with their place in the chain, and folds of them. ----------------------------------------------------------------
-- Trades, events and claims are facts, all others are folds of them, so that nothing depends on the order in which the chain was
-- received. Ordinal: slot << 32 | transaction << 14 | instruction << 7 | inner instruction + 1. Amounts in smallest units.

-- How far the indexer is: one row. What is written with it is under the lease, so that nobody waits for the row.
create table indexer_progress (
  id boolean primary key default true check (id),
  -- Which chain the index is of: slots and signatures of another one do not belong beside it. Null before it was first seen.
  genesis_hash text collate "C", network text,
  module_hash text collate "C", -- What the tables are followed by; null before anything was derived.
  is_rebuild_due boolean not null default false, -- They have rows that other modules derived.
  log_offset bigint not null default 0, slot bigint, -- What of the log is in the tables.
  -- What of it was looked through for what arrived late, of the program and of migrated pools.
  checked_offset bigint not null default 0, pools_checked_offset bigint,
  -- From where on PostgreSQL has all trades, an ordinal, and all minute candles, the start of an hour; null: all.
  kept_from bigint not null default 0, minutes_from timestamptz(0),
  -- Proven trades are also sent to ClickHouse in the order of their ordinals, and old ones may then leave PostgreSQL.
  history_id text collate "C" not null default gen_random_uuid()::text, -- ClickHouse has the same: another history is not taken for it.
  sent_below bigint not null default 0, -- The watermark: trades with ordinals below are in ClickHouse.
  sent_at timestamptz(3),
  is_sent_again boolean not null default false, -- ClickHouse may have others above: they are deleted before more are sent.
  tokens_to timestamptz(3) not null default '-infinity', -- Registrations that were changed until then were sent.
  cordons jsonb not null default '{}' -- RPC endpoints that operators took out of use, by their public name: `reason`, and `since` when.
);
insert into indexer_progress default values;

create table trades (
  ordinal bigint not null, signature text collate "C" not null, pool text collate "C" not null,
  base_mint text collate "C" not null, quote_mint text collate "C" not null, trader text collate "C" not null,
  side text collate "C" not null check (side in ('BUY', 'SELL')), base_amount numeric not null, quote_amount numeric not null,
  fee numeric not null, next_sqrt_price numeric not null, quote_reserve numeric, block_time timestamptz(0) not null,
  venue text collate "C" not null default 'dbc', -- The curve, or the AMM whose pool it migrated to.
  primary key (ordinal, signature)
);
create index trades_base_mint on trades (base_mint, ordinal);
-- Not BRIN, whose ranges stay as wide as what was deleted from their pages.
create index trades_block_time on trades (block_time);
-- By a hash of the address, because the index of a text is more than twice as large.
create index trades_trader on trades (hashtextextended(trader, 0), ordinal);
create index trades_of_amm_pools on trades (pool, ordinal) where venue <> 'dbc';

create table dbc_events (
  ordinal bigint not null, signature text collate "C" not null, type text collate "C" not null, pool text collate "C",
  config text collate "C", facts jsonb not null, block_time timestamptz(0) not null, primary key (ordinal, signature, type)
);
create index dbc_events_pool on dbc_events (pool, ordinal);
create index dbc_events_config on dbc_events (config, ordinal) where type = 'ConfigCreated';

create table fee_claims (
  ordinal bigint not null, signature text collate "C" not null, kind text collate "C" not null,
  party text collate "C", -- Null for fees of a position, which belong to whoever holds its NFT.
  venue text collate "C" not null, pool text collate "C" not null, -- Of the venue.
  wallet text collate "C" not null,
  base_mint text collate "C", quote_mint text collate "C", -- Null where the instruction does not name it.
  position text collate "C", base_amount numeric not null, quote_amount numeric not null,
  block_time timestamptz(0) not null, primary key (ordinal, signature)
);
create index fee_claims_wallet on fee_claims (wallet, ordinal, signature);
create index fee_claims_pool on fee_claims (pool, ordinal, signature);

create table dbc_configs (
  config text collate "C" primary key, quote_mint text collate "C" not null, fee_claimer text collate "C" not null,
  leftover_receiver text collate "C" not null, token_decimal smallint, created_slot bigint not null
);

create table dbc_pools (
  pool text collate "C" primary key, base_mint text collate "C" not null, quote_mint text collate "C" not null,
  config text collate "C" not null, creator text collate "C" not null, name text not null, symbol text not null,
  uri text not null, pool_type smallint not null, decimals smallint, supply numeric,
  created_slot bigint not null, created_at timestamptz(0) not null, completed_slot bigint, migrated_slot bigint,
  migrated_at timestamptz(0), migrated_pool text collate "C"
);
create index dbc_pools_base_mint on dbc_pools (base_mint);
create index dbc_pools_config on dbc_pools (config);
create index dbc_pools_words on dbc_pools using gin (regexp_split_to_array(
  left(uri, 2048), '(%[0-9A-Fa-f]{2}|[^A-Za-z0-9_-])+')) with (fastupdate = off);
create index dbc_pools_migrated on dbc_pools (migrated_pool, migrated_slot) where migrated_pool is not null;

-- seconds 60 and 3600: candles; 0: everything since the first trade. Prices as sqrt price (Q64.64), exact.
create table candles (
  base_mint text collate "C" not null, seconds integer not null, bucket timestamptz(0) not null, first_ordinal bigint not null,
  last_ordinal bigint not null, open numeric not null, high numeric not null, low numeric not null, close numeric not null,
  base_volume numeric not null, quote_volume numeric not null, trades bigint not null, primary key (base_mint, seconds, bucket)
);
-- Minutes that leave, oldest first.
create index candles_minutes on candles (bucket) where seconds = 60;

-- What each commit changed, for those who follow along: one row a commit, numbered without a gap. Ids are never used again by a
-- server that lacks the newest ones, such as a promoted standby: the first commit on another server jumps ahead.
create table index_changes (
  id bigint primary key, changes text not null, committed_at timestamptz(3) not null,
  after_id bigint, -- The commit before it; null before nothing that is kept.
  server_started_at timestamptz
);
create index index_changes_committed_at on index_changes (committed_at);

-- Popularity: windows that end now, of trades and of records. -------------------------------------------------------------------
-- Those of trades are moved on by what was traded since, and by what has left them. They age, so a replay does not compare them.

-- Distinct traders and volume of each span; `buy_volume` is that of buys alone.
create table trading_windows (
  span text collate "C" not null, base_mint text collate "C" not null, traders bigint not null, trades bigint not null,
  quote_volume numeric not null, buy_volume numeric not null default 0, primary key (span, base_mint)
);
create index trading_windows_ranked on trading_windows (span, traders desc, quote_volume desc) where traders > 0;

-- Who traded a token in the longest window, and when last.
create table trading_traders (
  base_mint text collate "C" not null, trader text collate "C" not null, last_at timestamptz(0) not null,
  primary key (base_mint, trader)
);

-- The same of the records of clients, counted anew each time; volume in whole tokens.
create table recorded_windows (
  span text collate "C" not null, base_mint text collate "C" not null, traders bigint not null, trades bigint not null,
  quote_volume numeric not null, primary key (span, base_mint)
);
create index recorded_windows_ranked on recorded_windows (span, traders desc, quote_volume desc) where traders > 0;

-- The best registered tokens of each span, in order: read first, and by their place.
create table popular_ranks (
  span text collate "C" not null, place integer not null, token_id uuid not null, primary key (span, place)
) with (fillfactor = 50);

-- Operators: what they asked the leading indexer to do. ----------------------------------------------------------------------------

-- Slots are inclusive; `total` and `done` are slots, or offsets of the log.
create table indexer_jobs (
  id bigint primary key generated always as identity,
  kind text not null, -- Which kinds there are is said by the service's schema.
  from_slot bigint, to_slot bigint,
  reason text not null check (length(reason) between 1 and 200),
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  starts integer not null default 0, done bigint not null default 0, total bigint, detail text,
  requested_at timestamptz(3) not null, started_at timestamptz(3), ended_at timestamptz(3),
  resume jsonb, -- How far a repair is, and what it has found, so that the next leader goes on there.
  check (from_slot <= to_slot)
);
create index indexer_jobs_open on indexer_jobs (id) where ended_at is null;
