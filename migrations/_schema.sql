create extension pg_trgm;

create table api_keys (
  id text collate "C" not null,
  name text not null,
  scopes text[] not null,
  secret_hash bytea not null,
  created_at timestamp(3) with time zone not null,
  lifetime_days integer,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  family text collate "C",
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_scopes_check CHECK (((scopes <@ ARRAY['read'::text, 'write'::text, 'admin'::text]) AND (cardinality(scopes) > 0)))
);

create table audit_log (
  id bigint not null generated always as identity,
  at timestamp(3) with time zone not null,
  caller_kind text not null,
  caller_id text collate "C" not null,
  caller_name text not null,
  method text not null,
  route text collate "C" not null,
  subject text,
  request_id text collate "C" not null,
  status smallint,
  reason text,
  constraint audit_log_caller_kind_check CHECK ((caller_kind = ANY (ARRAY['key'::text, 'wallet'::text]))),
  constraint audit_log_pkey PRIMARY KEY (id)
);

create table bridge_budgets (
  name text not null,
  tokens double precision not null,
  refilled_at timestamp(3) with time zone not null,
  constraint bridge_budgets_pkey PRIMARY KEY (name)
);

create table bridge_deposits (
  swap_id uuid not null,
  tx_hash text collate "C" not null,
  near_sender_account text collate "C",
  reported_at timestamp(3) with time zone not null,
  delivered_at timestamp(3) with time zone,
  is_refused boolean not null default false,
  next_attempt_at timestamp(3) with time zone,
  attempts integer not null default 0,
  last_error text,
  refusals integer not null default 0,
  constraint bridge_deposits_pkey PRIMARY KEY (swap_id, tx_hash),
  constraint bridge_deposits_swap_id_fkey FOREIGN KEY (swap_id) REFERENCES bridge_swaps(id)
);

create table bridge_events (
  swap_id uuid not null,
  version integer not null,
  at timestamp(3) with time zone not null,
  type text not null,
  status text not null,
  substatus text not null,
  upstream_status text,
  detail text,
  raw text,
  constraint bridge_events_pkey PRIMARY KEY (swap_id, version),
  constraint bridge_events_swap_id_fkey FOREIGN KEY (swap_id) REFERENCES bridge_swaps(id)
);

create table bridge_requests (
  id uuid not null,
  key text collate "C",
  request_hash text collate "C" not null,
  state text not null,
  attempt integer not null default 1,
  lease_until timestamp(3) with time zone not null,
  failure text,
  raw text,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint bridge_requests_key_key UNIQUE (key),
  constraint bridge_requests_pkey PRIMARY KEY (id),
  constraint bridge_requests_state_check CHECK ((state = ANY (ARRAY['requesting'::text, 'quoted'::text, 'refused'::text])))
);

create table bridge_swaps (
  id uuid not null,
  user_address text collate "C" not null,
  user_key text collate "C" not null default 
CASE
    WHEN (user_address ~ '^0x[0-9a-fA-F]{40}$'::text) THEN lower(user_address)
    ELSE user_address
END,
  origin_asset text collate "C" not null,
  destination_asset text collate "C" not null,
  origin_chain text collate "C" not null,
  destination_chain text collate "C" not null,
  origin_decimals smallint not null,
  destination_decimals smallint not null,
  swap_type text not null,
  recipient text collate "C" not null,
  recipient_type text not null,
  refund_to text collate "C" not null,
  slippage_tolerance integer not null,
  app_fees jsonb not null,
  has_api_key boolean not null,
  deposit_address text collate "C" not null,
  deposit_key text collate "C" not null default 
CASE
    WHEN (deposit_address ~ '^0x[0-9a-fA-F]{40}$'::text) THEN lower(deposit_address)
    ELSE deposit_address
END,
  deposit_memo text collate "C",
  deposit_by timestamp(3) with time zone not null,
  inactive_at timestamp(3) with time zone not null,
  time_estimate_seconds double precision not null,
  amount_in numeric not null,
  amount_out numeric not null,
  min_amount_in numeric not null,
  min_amount_out numeric not null,
  signed_quote text not null,
  correlation_id text,
  status text not null,
  substatus text not null,
  upstream_status text,
  deposit_shown boolean not null default false,
  deposited_amount numeric,
  missing_amount numeric,
  refunded_amount numeric,
  refund_reason text,
  origin_txs jsonb not null default '[]'::jsonb,
  destination_txs jsonb not null default '[]'::jsonb,
  stalled boolean not null default false,
  needs_review boolean not null default false,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  progressed_at timestamp(3) with time zone not null,
  last_checked_at timestamp(3) with time zone,
  lane smallint not null default 2,
  next_poll_at timestamp(3) with time zone,
  lease_until timestamp(3) with time zone,
  attempts integer not null default 0,
  unreadable_answers integer not null default 0,
  version integer not null default 1,
  deposit_type text not null default 'ORIGIN_CHAIN'::text,
  refund_type text not null default 'ORIGIN_CHAIN'::text,
  amount_in_usd text,
  amount_out_usd text,
  deposited_amount_usd text,
  refunded_amount_usd text,
  slippage double precision,
  refund_fee numeric,
  withdraw_fee numeric,
  intent_hashes jsonb not null default '[]'::jsonb,
  near_tx_hashes jsonb not null default '[]'::jsonb,
  asked_at timestamp(3) with time zone,
  constraint bridge_swaps_amount_in_check CHECK ((amount_in >= (0)::numeric)),
  constraint bridge_swaps_amount_out_check CHECK ((amount_out >= (0)::numeric)),
  constraint bridge_swaps_deposit_type_check CHECK ((deposit_type = ANY (ARRAY['ORIGIN_CHAIN'::text, 'INTENTS'::text]))),
  constraint bridge_swaps_lane_check CHECK (((lane >= 0) AND (lane <= 2))),
  constraint bridge_swaps_pkey PRIMARY KEY (id),
  constraint bridge_swaps_recipient_type_check CHECK ((recipient_type = ANY (ARRAY['DESTINATION_CHAIN'::text, 'INTENTS'::text]))),
  constraint bridge_swaps_refund_type_check CHECK ((refund_type = ANY (ARRAY['ORIGIN_CHAIN'::text, 'INTENTS'::text]))),
  constraint bridge_swaps_slippage_tolerance_check CHECK (((slippage_tolerance >= 0) AND (slippage_tolerance <= 10000))),
  constraint bridge_swaps_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'success'::text, 'failed'::text]))),
  constraint bridge_swaps_swap_type_check CHECK ((swap_type = ANY (ARRAY['EXACT_INPUT'::text, 'EXACT_OUTPUT'::text, 'FLEX_INPUT'::text])))
);

create table bridge_tokens (
  id boolean not null default true,
  assets text not null,
  as_of timestamp(3) with time zone not null,
  constraint bridge_tokens_id_check CHECK (id),
  constraint bridge_tokens_pkey PRIMARY KEY (id)
);

create table bridge_upstream (
  name text not null,
  failures integer not null default 0,
  reason text,
  http_status integer,
  rests_until timestamp(3) with time zone,
  probe_until timestamp(3) with time zone,
  paused_until timestamp(3) with time zone,
  answered_at timestamp(3) with time zone,
  constraint bridge_upstream_pkey PRIMARY KEY (name)
);

create table candles (
  base_mint text collate "C" not null,
  seconds integer not null,
  bucket timestamp(0) with time zone not null,
  first_ordinal bigint not null,
  last_ordinal bigint not null,
  open numeric not null,
  high numeric not null,
  low numeric not null,
  close numeric not null,
  base_volume numeric not null,
  quote_volume numeric not null,
  trades bigint not null,
  constraint candles_pkey PRIMARY KEY (base_mint, seconds, bucket)
);

create table chain_identity (
  id boolean not null default true,
  genesis_hash text collate "C" not null,
  network text not null,
  first_seen_at timestamp(3) with time zone not null,
  constraint chain_identity_id_check CHECK (id),
  constraint chain_identity_pkey PRIMARY KEY (id)
);

create table coverage (
  from_slot bigint not null,
  to_slot bigint not null,
  proven_by text not null,
  proven_at timestamp(3) with time zone not null,
  log_offset bigint not null,
  constraint coverage_check CHECK ((from_slot <= to_slot)),
  constraint coverage_pkey PRIMARY KEY (from_slot)
);

create table cursors (
  id text not null,
  log_offset bigint not null,
  slot bigint not null,
  constraint cursors_pkey PRIMARY KEY (id)
);

create table dbc_configs (
  config text collate "C" not null,
  quote_mint text collate "C" not null,
  fee_claimer text collate "C" not null,
  leftover_receiver text collate "C" not null,
  token_decimal smallint,
  created_slot bigint not null,
  constraint dbc_configs_pkey PRIMARY KEY (config)
);

create table dbc_events (
  ordinal bigint not null,
  signature text collate "C" not null,
  type text collate "C" not null,
  pool text collate "C",
  config text collate "C",
  facts jsonb not null,
  block_time timestamp(0) with time zone not null,
  constraint dbc_events_pkey PRIMARY KEY (ordinal, signature, type)
);

create table dbc_pools (
  pool text collate "C" not null,
  base_mint text collate "C" not null,
  quote_mint text collate "C" not null,
  config text collate "C" not null,
  creator text collate "C" not null,
  name text not null,
  symbol text not null,
  uri text not null,
  pool_type smallint not null,
  activation_point numeric not null,
  decimals smallint,
  supply numeric,
  created_slot bigint not null,
  created_at timestamp(0) with time zone not null,
  metadata text collate "C",
  completed_slot bigint,
  completed_at timestamp(0) with time zone,
  migrated_slot bigint,
  migrated_at timestamp(0) with time zone,
  migrated_pool text collate "C",
  constraint dbc_pools_pkey PRIMARY KEY (pool)
);

create table dead_letters (
  log_offset bigint not null,
  position integer not null,
  slot bigint not null,
  signature text collate "C" not null,
  reason text not null,
  module_hash text not null,
  constraint dead_letters_pkey PRIMARY KEY (log_offset, "position")
);

create table fee_claims (
  ordinal bigint not null,
  signature text collate "C" not null,
  kind text collate "C" not null,
  party text collate "C",
  venue text collate "C" not null,
  pool text collate "C" not null,
  wallet text collate "C" not null,
  base_mint text collate "C",
  quote_mint text collate "C" not null,
  position text collate "C",
  base_amount numeric not null,
  quote_amount numeric not null,
  block_time timestamp(0) with time zone not null,
  constraint fee_claims_pkey PRIMARY KEY (ordinal, signature)
);

create table fee_totals (
  wallet text collate "C" not null,
  quote_mint text collate "C" not null,
  kind text collate "C" not null,
  claims bigint not null,
  quote_amount numeric not null,
  constraint fee_totals_pkey PRIMARY KEY (wallet, quote_mint, kind)
);

create table followed_pools (
  pool text collate "C" not null,
  venue text collate "C",
  from_slot bigint not null,
  active_slot bigint not null,
  followed_at timestamp(3) with time zone not null,
  proven_at timestamp(3) with time zone,
  due_at timestamp(3) with time zone not null,
  failures integer not null default 0,
  retry_at timestamp(3) with time zone,
  forgone_to_slot bigint not null default '-1'::integer,
  constraint followed_pools_pkey PRIMARY KEY (pool)
);

create table history_changes (
  ordinal bigint not null,
  signature text collate "C" not null,
  base_mint text collate "C" not null,
  trader text collate "C" not null,
  times integer not null default 1,
  constraint history_changes_pkey PRIMARY KEY (ordinal, signature, base_mint, trader)
);

create table history_progress (
  id boolean not null default true,
  claimed_below bigint not null default 0,
  sent_below bigint not null default 0,
  sent_at timestamp(3) with time zone,
  kept_from bigint not null default 0,
  minutes_from timestamp(0) with time zone,
  resend_below bigint not null default 0,
  resend_version bigint not null default 0,
  version bigint not null default 0,
  registered_to timestamp(3) with time zone not null default '-infinity'::timestamp with time zone,
  walked_to text collate "C" not null default ''::text,
  history_id text collate "C",
  constraint history_progress_id_check CHECK (id),
  constraint history_progress_pkey PRIMARY KEY (id)
);

create table holder_counts (
  mint_address text collate "C" not null,
  holders integer not null,
  is_whole boolean not null,
  counted_at timestamp(3) with time zone not null,
  constraint holder_counts_pkey PRIMARY KEY (mint_address)
);

create table idempotent_requests (
  caller text collate "C" not null,
  key_hash bytea not null,
  operation text collate "C" not null,
  request_hash bytea not null,
  state text not null,
  claim uuid not null,
  lease_until timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  status smallint,
  content_type text,
  location text,
  cache_control text,
  is_sealed boolean not null default false,
  body bytea,
  constraint idempotent_requests_pkey PRIMARY KEY (caller, key_hash),
  constraint idempotent_requests_state_check CHECK ((state = ANY (ARRAY['in_flight'::text, 'answered'::text])))
);

create table inbox_archives (
  first_offset bigint not null,
  last_offset bigint not null,
  name text not null,
  segments integer not null,
  transactions bigint not null,
  bytes bigint not null,
  sha256 bytea not null,
  archived_at timestamp(3) with time zone not null,
  moved_at timestamp(3) with time zone,
  constraint inbox_archives_pkey PRIMARY KEY (first_offset)
);

create table inbox_dropped (
  log_offset bigint not null,
  position integer not null,
  slot bigint not null,
  signature text collate "C" not null,
  reason text not null,
  dropped_at timestamp(3) with time zone not null,
  constraint inbox_dropped_pkey PRIMARY KEY (log_offset, "position")
);

create table inbox_head (
  id boolean not null default true,
  next_offset bigint not null,
  pruned_from_slot bigint not null default '-1'::integer,
  pruned_to_slot bigint not null default '-1'::integer,
  pruned_facts text,
  closed_from_slot bigint not null default '-1'::integer,
  closed_to_slot bigint not null default '-1'::integer,
  closed_at_offset bigint not null default 0,
  constraint inbox_head_id_check CHECK (id),
  constraint inbox_head_pkey PRIMARY KEY (id)
);

create table inbox_poison (
  digest bytea not null,
  received_at timestamp(3) with time zone not null,
  source text not null,
  reason text not null,
  bytes bytea not null,
  constraint inbox_poison_pkey PRIMARY KEY (digest)
);

create table inbox_segments (
  log_offset bigint not null,
  source text not null,
  received_at timestamp(3) with time zone not null,
  first_slot bigint not null,
  last_slot bigint not null,
  positions integer[] not null,
  bytes bytea,
  archive_offset bigint,
  archive_start bigint,
  archive_bytes integer,
  archive_sha256 bytea,
  constraint inbox_segments_pkey PRIMARY KEY (log_offset)
);

create table inbox_transactions (
  slot bigint not null,
  signature text collate "C" not null,
  log_offset bigint not null,
  position integer not null,
  constraint inbox_transactions_pkey PRIMARY KEY (slot, signature)
);

create table index_changes (
  id bigint not null,
  changes text not null,
  committed_at timestamp(3) with time zone not null,
  after_id bigint,
  server_started_at timestamp with time zone,
  constraint index_changes_pkey PRIMARY KEY (id)
);

create table indexer_jobs (
  id bigint not null generated always as identity,
  kind text not null,
  from_slot bigint,
  to_slot bigint,
  keep_facts boolean not null default false,
  reason text not null,
  state text not null default 'queued'::text,
  starts integer not null default 0,
  done bigint not null default 0,
  total bigint,
  detail text,
  requested_at timestamp(3) with time zone not null,
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  constraint indexer_jobs_check CHECK (((kind = 'backfill'::text) = (from_slot IS NOT NULL))),
  constraint indexer_jobs_check1 CHECK ((from_slot <= to_slot)),
  constraint indexer_jobs_kind_check CHECK ((kind = ANY (ARRAY['backfill'::text, 'replay'::text]))),
  constraint indexer_jobs_pkey PRIMARY KEY (id),
  constraint indexer_jobs_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200))),
  constraint indexer_jobs_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);

create table indexer_reports (
  name text not null,
  report jsonb not null,
  reported_at timestamp(3) with time zone not null,
  constraint indexer_reports_pkey PRIMARY KEY (name)
);

create table ipfs_blocks (
  cid text collate "C" not null,
  bytes bytea not null,
  constraint ipfs_blocks_pkey PRIMARY KEY (cid)
);

create table ipfs_deliveries (
  cid text collate "C" not null,
  backend text collate "C" not null,
  destination text collate "C" not null,
  content_type text not null,
  size_bytes bigint not null,
  created_at timestamp(3) with time zone not null,
  delivered_at timestamp(3) with time zone,
  attempts integer not null default 0,
  next_attempt_at timestamp(3) with time zone not null,
  last_failed_at timestamp(3) with time zone,
  last_error text,
  is_outage boolean not null default false,
  constraint ipfs_deliveries_backend_check CHECK ((backend = ANY (ARRAY['filebase'::text, 'w3up'::text]))),
  constraint ipfs_deliveries_pkey PRIMARY KEY (cid, backend, destination),
  constraint ipfs_deliveries_size_bytes_check CHECK ((size_bytes >= 0))
);

create table ipfs_stored_bytes (
  id boolean not null default true,
  bytes bigint not null,
  constraint ipfs_stored_bytes_id_check CHECK (id),
  constraint ipfs_stored_bytes_pkey PRIMARY KEY (id)
);

create table ipfs_upload_days (
  client text collate "C" not null,
  day date not null,
  uploads integer not null,
  bytes bigint not null,
  constraint ipfs_upload_days_pkey PRIMARY KEY (client, day)
);

create table ipfs_uploads (
  cid text collate "C" not null,
  content_type text not null,
  size_bytes bigint not null,
  file_name text,
  created_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  links text[] collate "C",
  constraint ipfs_uploads_pkey PRIMARY KEY (cid),
  constraint ipfs_uploads_size_bytes_check CHECK ((size_bytes >= 0))
);

create table launch_configs (
  config_address text collate "C" not null,
  signer text collate "C" not null,
  launchpad text not null,
  quote_mint text collate "C" not null,
  token_type smallint not null,
  token_decimals smallint not null,
  created_at timestamp(3) with time zone not null,
  dbc_config jsonb,
  metadata jsonb,
  constraint launch_configs_launchpad_check CHECK ((launchpad = ANY (ARRAY['launchpad_a'::text, 'launchpad_b'::text]))),
  constraint launch_configs_pkey PRIMARY KEY (config_address),
  constraint launch_configs_token_type_check CHECK ((token_type = ANY (ARRAY[0, 1])))
);

create table launch_curves (
  config text collate "C" not null,
  base_decimals smallint not null,
  quote_decimals smallint not null,
  supply numeric not null,
  migration_quote_threshold numeric not null,
  start_sqrt_price numeric not null,
  constraint launch_curves_pkey PRIMARY KEY (config)
);

create table launch_listings (
  pool text collate "C" not null,
  base_mint text collate "C" not null,
  config text collate "C" not null,
  creator text collate "C" not null,
  quote_mint text collate "C" not null,
  stage text collate "C" not null,
  is_registered boolean not null,
  launched_at timestamp(0) with time zone not null,
  graduated_at timestamp(0) with time zone,
  progress integer not null default 0,
  constraint launch_listings_pkey PRIMARY KEY (pool),
  constraint launch_listings_stage_check CHECK ((stage = ANY (ARRAY['curve'::text, 'completed'::text, 'migrated'::text])))
);

create table launch_metadata (
  base_mint text collate "C" not null,
  signer text collate "C" not null,
  uri text collate "C" not null,
  name text not null,
  symbol text not null,
  metadata jsonb not null,
  created_at timestamp(3) with time zone not null,
  constraint launch_metadata_pkey PRIMARY KEY (base_mint, signer, uri)
);

create table launch_pools (
  base_mint text collate "C" not null,
  config_address text collate "C" not null,
  pool text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  constraint launch_pools_pkey PRIMARY KEY (base_mint, config_address)
);

create table launch_submissions (
  signature text collate "C" not null,
  transaction bytea,
  signers text[] not null,
  programs text[] not null,
  blockhash text collate "C" not null,
  last_valid_block_height bigint,
  skips_preflight boolean not null,
  state text not null,
  slot bigint,
  error jsonb,
  version integer not null,
  attempts integer not null,
  sends integer not null,
  next_check_at timestamp(3) with time zone not null,
  record_id uuid,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  settled_at timestamp(3) with time zone,
  constraint launch_submissions_check CHECK (((transaction IS NULL) = (settled_at IS NOT NULL))),
  constraint launch_submissions_pkey PRIMARY KEY (signature),
  constraint launch_submissions_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'processed'::text, 'confirmed'::text, 'finalized'::text, 'failed'::text, 'expired'::text]))),
  constraint launch_submissions_transaction_check CHECK ((octet_length(transaction) <= 1232))
);

create table launch_sweeps (
  built text collate "C" not null,
  swept_to timestamp(3) with time zone not null,
  constraint launch_sweeps_built_check CHECK ((built = ANY (ARRAY['configs'::text, 'pools'::text, 'metadata'::text]))),
  constraint launch_sweeps_pkey PRIMARY KEY (built)
);

create table leases (
  name text not null,
  holder text not null,
  token bigint not null,
  expires_at timestamp with time zone not null,
  previous_token bigint,
  constraint leases_pkey PRIMARY KEY (name)
);

create table mint_numbers (
  base_mint text collate "C" not null,
  number bigint not null generated always as identity,
  constraint mint_numbers_number_key UNIQUE (number),
  constraint mint_numbers_pkey PRIMARY KEY (base_mint)
);

create table notification_attempts (
  message_id uuid not null,
  number integer not null,
  at timestamp(3) with time zone not null,
  status smallint,
  error text,
  duration_millis integer not null,
  constraint notification_attempts_message_id_fkey FOREIGN KEY (message_id) REFERENCES notification_messages(id) ON DELETE CASCADE,
  constraint notification_attempts_pkey PRIMARY KEY (message_id, number)
);

create table notification_endpoints (
  id uuid not null,
  owner text collate "C" not null,
  url text not null,
  description text not null,
  types text[] not null,
  mints text[] not null,
  state text not null,
  disabled_reason text,
  secret_version integer not null,
  previous_secret_until timestamp(3) with time zone,
  after_change bigint not null,
  failing_since timestamp(3) with time zone,
  last_failed_at timestamp(3) with time zone,
  is_skipping boolean not null,
  skipped_messages bigint not null,
  last_skipped_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint notification_endpoints_check CHECK (((state = 'disabled'::text) = (disabled_reason IS NOT NULL))),
  constraint notification_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['by_owner'::text, 'gone'::text, 'failing'::text]))),
  constraint notification_endpoints_pkey PRIMARY KEY (id),
  constraint notification_endpoints_state_check CHECK ((state = ANY (ARRAY['enabled'::text, 'disabled'::text, 'deleted'::text]))),
  constraint notification_endpoints_types_check CHECK ((cardinality(types) > 0))
);

create table notification_messages (
  id uuid not null,
  endpoint_id uuid not null,
  type text not null,
  body text not null,
  state text not null,
  attempts integer not null,
  next_attempt_at timestamp(3) with time zone not null,
  last_status smallint,
  last_error text,
  version integer not null,
  created_at timestamp(3) with time zone not null,
  settled_at timestamp(3) with time zone,
  constraint notification_messages_check CHECK (((state = 'pending'::text) = (settled_at IS NULL))),
  constraint notification_messages_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES notification_endpoints(id) ON DELETE CASCADE,
  constraint notification_messages_pkey PRIMARY KEY (id),
  constraint notification_messages_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);

create table notification_progress (
  id boolean not null default true,
  change_id bigint,
  constraint notification_progress_id_check CHECK (id),
  constraint notification_progress_pkey PRIMARY KEY (id)
);

create table pool_coverage (
  pool text collate "C" not null,
  from_slot bigint not null,
  to_slot bigint not null,
  proven_by text not null,
  proven_at timestamp(3) with time zone not null,
  log_offset bigint not null,
  first_signature text collate "C",
  constraint pool_coverage_check CHECK ((from_slot <= to_slot)),
  constraint pool_coverage_pkey PRIMARY KEY (pool, from_slot)
);

create table quote_price_refreshes (
  id boolean not null default true,
  asked_at timestamp(3) with time zone not null default '-infinity'::timestamp with time zone,
  stored_at timestamp(3) with time zone not null default now(),
  swept_at timestamp(3) with time zone not null default '-infinity'::timestamp with time zone,
  constraint quote_price_refreshes_id_check CHECK (id),
  constraint quote_price_refreshes_pkey PRIMARY KEY (id)
);

create table quote_prices (
  quote_mint text collate "C" not null,
  minute timestamp(0) with time zone not null,
  usd numeric(36,18) not null,
  read_at timestamp(3) with time zone not null,
  constraint quote_prices_pkey PRIMARY KEY (quote_mint, minute),
  constraint quote_prices_usd_check CHECK ((usd > (0)::numeric))
);

create table rate_limit_windows (
  client text collate "C" not null,
  ends_at timestamp(3) with time zone not null,
  taken integer not null,
  needed integer not null,
  granted integer not null,
  constraint rate_limit_windows_pkey PRIMARY KEY (client)
);

create table record_days (
  client text collate "C" not null,
  day date not null,
  records integer not null,
  constraint record_days_pkey PRIMARY KEY (client, day)
);

create table recorded_changes (
  id bigint not null generated always as identity,
  sign smallint not null,
  base_mint text collate "C" not null,
  trader text collate "C" not null,
  amount numeric not null,
  decimals smallint not null,
  created_at timestamp(3) with time zone not null,
  constraint recorded_changes_pkey PRIMARY KEY (id)
);

create table recorded_progress (
  id boolean not null default true,
  counted_at timestamp(3) with time zone,
  constraint recorded_progress_id_check CHECK (id),
  constraint recorded_progress_pkey PRIMARY KEY (id)
);

create table recorded_traders (
  base_mint text collate "C" not null,
  trader text collate "C" not null,
  last_at timestamp(3) with time zone not null,
  constraint recorded_traders_pkey PRIMARY KEY (base_mint, trader)
);

create table recorded_windows (
  span text collate "C" not null,
  base_mint text collate "C" not null,
  traders bigint not null,
  trades bigint not null,
  quote_volume numeric not null,
  constraint recorded_windows_pkey PRIMARY KEY (span, base_mint)
);

create table registry_progress (
  id boolean not null default true,
  change_id bigint not null,
  statuses_asked_at timestamp with time zone not null,
  must_start_over boolean not null default true,
  unread_id bigint,
  started_over_id bigint,
  started_over_at timestamp with time zone,
  listed_to text collate "C" not null default ''::text,
  is_listed boolean not null default false,
  constraint registry_progress_id_check CHECK (id),
  constraint registry_progress_pkey PRIMARY KEY (id)
);

create table rpc_cordons (
  endpoint text not null,
  reason text not null,
  created_at timestamp(3) with time zone not null,
  constraint rpc_cordons_endpoint_check CHECK ((endpoint ~ '^(primary|backup|backup-[1-9][0-9]?)$'::text)),
  constraint rpc_cordons_pkey PRIMARY KEY (endpoint),
  constraint rpc_cordons_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200)))
);

create table signed_nonces (
  wallet text collate "C" not null,
  nonce text collate "C" not null,
  retry_hash bytea,
  expires_at timestamp(3) with time zone not null,
  constraint signed_nonces_pkey PRIMARY KEY (wallet, nonce)
);

create table skeleton_progress (
  id boolean not null default true,
  compared_to text collate "C" not null default ''::text,
  is_compared boolean not null default false,
  sized_at timestamp(3) with time zone not null default '-infinity'::timestamp with time zone,
  constraint skeleton_progress_id_check CHECK (id),
  constraint skeleton_progress_pkey PRIMARY KEY (id)
);

create table token_corrections (
  id uuid not null,
  token_id uuid not null,
  mint_address text collate "C" not null,
  corrected_at timestamp(3) with time zone not null,
  corrected_by text not null,
  pool text collate "C" not null,
  before jsonb not null,
  after jsonb not null,
  constraint token_corrections_corrected_by_check CHECK ((corrected_by = ANY (ARRAY['chain'::text, 'rollback'::text]))),
  constraint token_corrections_pkey PRIMARY KEY (id)
);

create table token_dbc_configs (
  token_id uuid not null,
  quote_mint text collate "C",
  has_dbc_config boolean not null,
  build_curve_mode smallint,
  total_token_supply numeric,
  migration_option smallint,
  token_base_decimal smallint,
  token_quote_decimal smallint,
  dynamic_fee_enabled boolean,
  activation_type smallint,
  collect_fee_mode smallint,
  migration_fee_option smallint,
  token_type smallint,
  partner_lp_percentage double precision,
  creator_lp_percentage double precision,
  partner_locked_lp_percentage double precision,
  creator_locked_lp_percentage double precision,
  creator_trading_fee_percentage double precision,
  leftover numeric,
  token_update_authority smallint,
  leftover_receiver text collate "C",
  fee_claimer text collate "C",
  pool_creation_fee numeric,
  enable_first_swap_with_min_fee boolean,
  build_curve_param jsonb,
  base_fee_mode smallint,
  fee_scheduler_param jsonb,
  rate_limiter_param jsonb,
  locked_vesting_param jsonb,
  migration_fee jsonb,
  migrated_pool_fee jsonb,
  constraint token_dbc_configs_activation_type_check CHECK ((activation_type = ANY (ARRAY[0, 1]))),
  constraint token_dbc_configs_base_fee_mode_check CHECK (((base_fee_mode >= 0) AND (base_fee_mode <= 2))),
  constraint token_dbc_configs_build_curve_mode_check CHECK (((build_curve_mode >= 0) AND (build_curve_mode <= 3))),
  constraint token_dbc_configs_collect_fee_mode_check CHECK ((collect_fee_mode = ANY (ARRAY[0, 1]))),
  constraint token_dbc_configs_migration_fee_option_check CHECK (((migration_fee_option >= 0) AND (migration_fee_option <= 6))),
  constraint token_dbc_configs_migration_option_check CHECK ((migration_option = ANY (ARRAY[0, 1]))),
  constraint token_dbc_configs_pkey PRIMARY KEY (token_id),
  constraint token_dbc_configs_token_id_fkey FOREIGN KEY (token_id) REFERENCES tokens(id),
  constraint token_dbc_configs_token_type_check CHECK ((token_type = ANY (ARRAY[0, 1]))),
  constraint token_dbc_configs_token_update_authority_check CHECK (((token_update_authority >= 0) AND (token_update_authority <= 4)))
);

create table token_number_progress (
  id boolean not null default true,
  number bigint not null default 0,
  constraint token_number_progress_id_check CHECK (id),
  constraint token_number_progress_pkey PRIMARY KEY (id)
);

create table token_skeletons (
  mint_address text collate "C" not null,
  field text collate "C" not null,
  skeleton text collate "C" not null,
  is_claim boolean not null,
  since bigint not null,
  quote_mint text collate "C",
  size smallint,
  is_verified boolean not null,
  constraint token_skeletons_field_check CHECK ((field = ANY (ARRAY['name'::text, 'symbol'::text]))),
  constraint token_skeletons_pkey PRIMARY KEY (mint_address, field, skeleton)
);

create table token_tags (
  tag text collate "C" not null,
  token_id uuid not null,
  launchpad text not null,
  active boolean not null,
  created_at timestamp(3) with time zone not null,
  mint_address text collate "C",
  mint_number bigint,
  constraint token_tags_pkey PRIMARY KEY (tag, token_id),
  constraint token_tags_token_id_fkey FOREIGN KEY (token_id) REFERENCES tokens(id)
);

create table token_whitelist (
  mint_address text collate "C" not null,
  whitelisted boolean not null,
  updated_at timestamp(3) with time zone not null,
  constraint token_whitelist_pkey PRIMARY KEY (mint_address)
);

create table tokens (
  id uuid not null,
  mint_address text collate "C" not null,
  name text not null,
  symbol text not null,
  description text not null default ''::text,
  total_supply numeric not null,
  decimals smallint not null,
  owner text collate "C" not null,
  launchpad text not null,
  tags text[] not null default '{}'::text[],
  active boolean not null default true,
  token_uri text not null default ''::text,
  banner_uri text not null default ''::text,
  website text not null default ''::text,
  twitter text not null default ''::text,
  telegram text not null default ''::text,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  registered_by text not null default 'client'::text,
  pool text collate "C",
  config text collate "C",
  claimed jsonb,
  completed_at timestamp(3) with time zone,
  verified boolean not null default false,
  mint_number bigint,
  constraint tokens_decimals_check CHECK (((decimals >= 0) AND (decimals <= 18))),
  constraint tokens_launchpad_check CHECK ((launchpad = ANY (ARRAY['launchpad_a'::text, 'launchpad_b'::text]))),
  constraint tokens_pkey PRIMARY KEY (id),
  constraint tokens_registered_by_check CHECK ((registered_by = ANY (ARRAY['client'::text, 'chain'::text]))),
  constraint tokens_total_supply_check CHECK (((total_supply >= (0)::numeric) AND (scale(total_supply) <= 40)))
);

create table trades (
  ordinal bigint not null,
  signature text collate "C" not null,
  pool text collate "C" not null,
  base_mint text collate "C" not null,
  quote_mint text collate "C" not null,
  trader text collate "C" not null,
  side text collate "C" not null,
  base_amount numeric not null,
  quote_amount numeric not null,
  fee numeric not null,
  next_sqrt_price numeric not null,
  quote_reserve numeric,
  block_time timestamp(0) with time zone not null,
  venue text collate "C" not null default 'dbc'::text,
  constraint trades_pkey PRIMARY KEY (ordinal, signature),
  constraint trades_side_check CHECK ((side = ANY (ARRAY['BUY'::text, 'SELL'::text])))
);

create table trading_progress (
  id boolean not null default true,
  counted_at timestamp(0) with time zone,
  log_offset bigint not null default 0,
  token bigint not null default 0,
  trades_table bigint not null default 0,
  constraint trading_progress_id_check CHECK (id),
  constraint trading_progress_pkey PRIMARY KEY (id)
);

create table trading_reverts (
  ordinal bigint not null,
  signature text collate "C" not null,
  log_offset bigint not null,
  base_mint text collate "C" not null,
  trader text collate "C" not null,
  quote_amount numeric not null,
  block_time timestamp(0) with time zone not null,
  constraint trading_reverts_pkey PRIMARY KEY (ordinal, signature, log_offset)
);

create table trading_traders (
  base_mint text collate "C" not null,
  trader text collate "C" not null,
  last_at timestamp(0) with time zone not null,
  constraint trading_traders_pkey PRIMARY KEY (base_mint, trader)
);

create table trading_windows (
  span text collate "C" not null,
  base_mint text collate "C" not null,
  traders bigint not null,
  trades bigint not null,
  quote_volume numeric not null,
  mint_number bigint,
  constraint trading_windows_pkey PRIMARY KEY (span, base_mint)
);

create table transactions (
  id uuid not null,
  user_address text collate "C" not null,
  tx_hash text collate "C" not null,
  action text not null,
  base_token text collate "C" not null,
  quote_token text collate "C" not null,
  amount_in numeric not null,
  amount_out numeric not null,
  price_per_token numeric not null,
  slippage_bps integer not null,
  fee numeric not null,
  fee_token text collate "C" not null,
  status text not null,
  chain text collate "C" not null,
  pool_address text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  last_valid_block_height numeric(20,0),
  status_reason text,
  amount_in_decimals smallint not null default 0,
  amount_out_decimals smallint not null default 0,
  fee_decimals smallint not null default 0,
  is_reported boolean not null default false,
  constraint transactions_action_check CHECK ((action = ANY (ARRAY['BUY'::text, 'SELL'::text, 'BRIDGE'::text, 'DEPLOY'::text]))),
  constraint transactions_amount_in_check CHECK (((amount_in >= (0)::numeric) AND (scale(amount_in) <= 40))),
  constraint transactions_amount_in_decimals_check CHECK (((amount_in_decimals >= 0) AND (amount_in_decimals <= 255))),
  constraint transactions_amount_out_check CHECK (((amount_out >= (0)::numeric) AND (scale(amount_out) <= 40))),
  constraint transactions_amount_out_decimals_check CHECK (((amount_out_decimals >= 0) AND (amount_out_decimals <= 255))),
  constraint transactions_fee_check CHECK (((fee >= (0)::numeric) AND (scale(fee) <= 40))),
  constraint transactions_fee_decimals_check CHECK (((fee_decimals >= 0) AND (fee_decimals <= 255))),
  constraint transactions_last_valid_block_height_check CHECK (((last_valid_block_height >= (0)::numeric) AND (last_valid_block_height <= '18446744073709551615'::numeric))),
  constraint transactions_pkey PRIMARY KEY (id),
  constraint transactions_price_per_token_check CHECK (((price_per_token >= (0)::numeric) AND (scale(price_per_token) <= 40))),
  constraint transactions_slippage_bps_check CHECK (((slippage_bps >= 0) AND (slippage_bps <= 10000))),
  constraint transactions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'success'::text, 'failed'::text]))),
  constraint transactions_status_reason_check CHECK ((char_length(status_reason) <= 300))
);

CREATE INDEX audit_log_at ON public.audit_log USING btree (at);

CREATE INDEX audit_log_caller ON public.audit_log USING btree (caller_id, at);

CREATE INDEX audit_log_request ON public.audit_log USING btree (request_id);

CREATE INDEX audit_log_subject ON public.audit_log USING btree (subject, at) WHERE (subject IS NOT NULL);

CREATE INDEX bridge_deposits_due ON public.bridge_deposits USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);

CREATE INDEX bridge_deposits_new ON public.bridge_deposits USING btree (reported_at) WHERE ((attempts = 0) AND (next_attempt_at IS NOT NULL));

CREATE INDEX bridge_deposits_refused ON public.bridge_deposits USING btree (LEAST(refusals, 8), next_attempt_at) WHERE (next_attempt_at IS NOT NULL);

CREATE INDEX bridge_requests_left ON public.bridge_requests USING btree (updated_at) WHERE (state <> 'quoted'::text);

CREATE INDEX bridge_swaps_abandoned ON public.bridge_swaps USING btree (inactive_at) WHERE ((next_poll_at IS NULL) AND (lane = 2));

CREATE UNIQUE INDEX bridge_swaps_address ON public.bridge_swaps USING btree (deposit_key, COALESCE(deposit_memo, ''::text));

CREATE INDEX bridge_swaps_address_recent ON public.bridge_swaps USING btree (deposit_key, created_at DESC, id DESC);

CREATE INDEX bridge_swaps_due ON public.bridge_swaps USING btree (lane, next_poll_at) WHERE (next_poll_at IS NOT NULL);

CREATE INDEX bridge_swaps_recent ON public.bridge_swaps USING btree (created_at DESC, id DESC);

CREATE INDEX bridge_swaps_review ON public.bridge_swaps USING btree (created_at DESC, id DESC) WHERE needs_review;

CREATE INDEX bridge_swaps_status ON public.bridge_swaps USING btree (status, created_at DESC, id DESC);

CREATE INDEX bridge_swaps_user ON public.bridge_swaps USING btree (user_key, created_at DESC, id DESC);

CREATE INDEX bridge_swaps_user_status ON public.bridge_swaps USING btree (user_key, status, created_at DESC, id DESC);

CREATE INDEX dbc_events_config ON public.dbc_events USING btree (config, ordinal) WHERE (type = 'ConfigCreated'::text);

CREATE INDEX dbc_events_pool ON public.dbc_events USING btree (pool, ordinal);

CREATE INDEX dbc_pools_base_mint ON public.dbc_pools USING btree (base_mint);

CREATE INDEX dbc_pools_config ON public.dbc_pools USING btree (config);

CREATE INDEX dbc_pools_migrated ON public.dbc_pools USING btree (migrated_pool, migrated_slot) WHERE (migrated_pool IS NOT NULL);

CREATE INDEX dbc_pools_words ON public.dbc_pools USING gin (regexp_split_to_array("left"(uri, 2048), '(%[0-9A-Fa-f]{2}|[^A-Za-z0-9_-])+'::text)) WITH (fastupdate=off);

CREATE INDEX dead_letters_slot ON public.dead_letters USING btree (slot);

CREATE INDEX fee_claims_pool ON public.fee_claims USING btree (pool, ordinal);

CREATE INDEX fee_claims_wallet ON public.fee_claims USING btree (wallet, ordinal);

CREATE INDEX followed_pools_active ON public.followed_pools USING btree (active_slot DESC) WHERE (venue IS NOT NULL);

CREATE INDEX followed_pools_due ON public.followed_pools USING btree (due_at) WHERE (venue IS NOT NULL);

CREATE INDEX followed_pools_newest ON public.followed_pools USING btree (followed_at) WHERE (venue IS NOT NULL);

CREATE INDEX idempotent_requests_created ON public.idempotent_requests USING btree (created_at);

CREATE INDEX inbox_archives_here ON public.inbox_archives USING btree (archived_at) WHERE (moved_at IS NULL);

CREATE INDEX inbox_poison_received ON public.inbox_poison USING btree (received_at);

CREATE INDEX inbox_segments_here ON public.inbox_segments USING btree (log_offset) WHERE (archive_offset IS NULL);

CREATE INDEX inbox_segments_last_slot ON public.inbox_segments USING btree (last_slot);

CREATE INDEX inbox_transactions_log_offset ON public.inbox_transactions USING brin (log_offset) WITH (autosummarize='on');

CREATE INDEX index_changes_committed_at ON public.index_changes USING btree (committed_at);

CREATE INDEX indexer_jobs_open ON public.indexer_jobs USING btree (id) WHERE (ended_at IS NULL);

CREATE INDEX ipfs_deliveries_created ON public.ipfs_deliveries USING btree (created_at);

CREATE INDEX ipfs_deliveries_due ON public.ipfs_deliveries USING btree (backend, destination, next_attempt_at) WHERE (delivered_at IS NULL);

CREATE INDEX ipfs_uploads_links ON public.ipfs_uploads USING gin (links) WITH (fastupdate=off);

CREATE INDEX ipfs_uploads_recent ON public.ipfs_uploads USING btree (created_at DESC);

CREATE INDEX ipfs_uploads_unread ON public.ipfs_uploads USING btree (cid) WHERE (links IS NULL);

CREATE INDEX ipfs_uploads_used ON public.ipfs_uploads USING btree (COALESCE(used_at, created_at), cid);

CREATE INDEX launch_configs_created ON public.launch_configs USING btree (created_at);

CREATE INDEX launch_configs_words ON public.launch_configs USING gin (regexp_split_to_array(((metadata - 'description'::text))::text, '(%[0-9A-Fa-f]{2}|[^A-Za-z0-9_-])+'::text)) WITH (fastupdate=off);

CREATE INDEX launch_listings_config ON public.launch_listings USING btree (config, is_registered, launched_at DESC, pool DESC);

CREATE INDEX launch_listings_creator ON public.launch_listings USING btree (creator, is_registered, launched_at DESC, pool DESC);

CREATE INDEX launch_listings_graduated ON public.launch_listings USING btree (is_registered, graduated_at DESC, pool DESC) WHERE (stage = 'migrated'::text);

CREATE INDEX launch_listings_mint ON public.launch_listings USING btree (base_mint);

CREATE INDEX launch_listings_newest ON public.launch_listings USING btree (is_registered, stage, launched_at DESC, pool DESC);

CREATE INDEX launch_listings_progress ON public.launch_listings USING btree (is_registered, progress DESC, pool DESC) WHERE (stage = 'curve'::text);

CREATE INDEX launch_metadata_created ON public.launch_metadata USING btree (created_at);

CREATE INDEX launch_metadata_words ON public.launch_metadata USING gin (regexp_split_to_array((("left"(uri, 2048) || ' '::text) || ((metadata - 'description'::text))::text), '(%[0-9A-Fa-f]{2}|[^A-Za-z0-9_-])+'::text)) WITH (fastupdate=off);

CREATE INDEX launch_pools_created ON public.launch_pools USING btree (created_at);

CREATE INDEX launch_submissions_due ON public.launch_submissions USING btree (next_check_at) WHERE (settled_at IS NULL);

CREATE INDEX launch_submissions_settled ON public.launch_submissions USING btree (settled_at) WHERE (settled_at IS NOT NULL);

CREATE INDEX notification_endpoints_list ON public.notification_endpoints USING btree (created_at DESC, id DESC);

CREATE INDEX notification_endpoints_owner ON public.notification_endpoints USING btree (owner, created_at DESC, id DESC);

CREATE INDEX notification_messages_due ON public.notification_messages USING btree (endpoint_id, next_attempt_at) WHERE (state = 'pending'::text);

CREATE INDEX notification_messages_list ON public.notification_messages USING btree (endpoint_id, created_at DESC, id DESC);

CREATE INDEX notification_messages_settled ON public.notification_messages USING btree (settled_at) WHERE (state <> 'pending'::text);

CREATE INDEX notification_messages_state ON public.notification_messages USING btree (endpoint_id, state, created_at DESC, id DESC);

CREATE INDEX rate_limit_windows_ends_at ON public.rate_limit_windows USING btree (ends_at);

CREATE INDEX recorded_windows_ranked ON public.recorded_windows USING btree (span, traders DESC, quote_volume DESC) WHERE (traders > 0);

CREATE INDEX signed_nonces_expires ON public.signed_nonces USING btree (expires_at);

CREATE INDEX token_corrections_recent ON public.token_corrections USING btree (corrected_at DESC);

CREATE INDEX token_corrections_token ON public.token_corrections USING btree (token_id, corrected_at DESC);

CREATE INDEX token_skeletons_largest ON public.token_skeletons USING btree (skeleton, field, quote_mint, size DESC, mint_address) WHERE (size IS NOT NULL);

CREATE INDEX token_skeletons_oldest ON public.token_skeletons USING btree (skeleton, field, is_claim, since, mint_address);

CREATE INDEX token_skeletons_verified ON public.token_skeletons USING btree (skeleton, field, mint_address) WHERE is_verified;

CREATE INDEX token_tags_hashed ON public.token_tags USING btree (hashtextextended(tag, (0)::bigint), hashtextextended(mint_address, (0)::bigint));

CREATE INDEX token_tags_recent ON public.token_tags USING btree (tag, created_at DESC, token_id DESC) INCLUDE (launchpad, active, mint_address, mint_number);

CREATE INDEX token_tags_token ON public.token_tags USING btree (token_id);

CREATE INDEX token_tags_without_mints ON public.token_tags USING btree (token_id) WHERE (mint_address IS NULL);

CREATE INDEX token_whitelist_recent ON public.token_whitelist USING btree (whitelisted, updated_at DESC, mint_address DESC);

CREATE INDEX tokens_active ON public.tokens USING btree (active, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX tokens_by_name ON public.tokens USING btree (lower(name) text_pattern_ops, created_at DESC, id DESC) INCLUDE (name, symbol) WHERE (deleted_at IS NULL);

CREATE INDEX tokens_by_symbol ON public.tokens USING btree (lower(symbol) text_pattern_ops, created_at DESC, id DESC) INCLUDE (symbol) WHERE (deleted_at IS NULL);

CREATE INDEX tokens_hashed ON public.tokens USING btree (((active)::integer), hashtextextended(mint_address, (0)::bigint)) WHERE (deleted_at IS NULL);

CREATE INDEX tokens_launchpad ON public.tokens USING btree (launchpad, active, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX tokens_letters ON public.tokens USING gin (letters_in_a_row(lower(((((symbol || '
'::text) || name) || '
'::text) || description)))) WITH (gin_pending_list_limit='256') WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX tokens_mint_address ON public.tokens USING btree (mint_address) WHERE (deleted_at IS NULL);

CREATE INDEX tokens_mint_ever ON public.tokens USING btree (mint_address);

CREATE INDEX tokens_owner ON public.tokens USING btree (owner, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX tokens_recent ON public.tokens USING btree (created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX tokens_text ON public.tokens USING gin (lower(((((symbol || '
'::text) || name) || '
'::text) || description)) gin_trgm_ops) WHERE (deleted_at IS NULL);

CREATE INDEX tokens_verified ON public.tokens USING btree (verified, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX tokens_words ON public.tokens USING gin (regexp_split_to_array((((((((((("left"(token_uri, 2048) || ' '::text) || "left"(banner_uri, 2048)) || ' '::text) || "left"(website, 2048)) || ' '::text) || "left"(twitter, 2048)) || ' '::text) || "left"(telegram, 2048)) || ' '::text) || COALESCE("left"((claimed ->> 'tokenUri'::text), 2048), ''::text)), '(%[0-9A-Fa-f]{2}|[^A-Za-z0-9_-])+'::text)) WITH (fastupdate=off);

CREATE INDEX trades_base_mint ON public.trades USING btree (base_mint, ordinal);

CREATE INDEX trades_block_time ON public.trades USING brin (block_time) WITH (pages_per_range='32', autosummarize='on');

CREATE INDEX trades_of_amm_pools ON public.trades USING btree (pool, ordinal) WHERE (venue <> 'dbc'::text);

CREATE INDEX trades_trader ON public.trades USING btree (hashtextextended(trader, (0)::bigint), ordinal);

CREATE INDEX trading_windows_numbered ON public.trading_windows USING btree (lower(span), mint_number) WHERE (mint_number IS NOT NULL);

CREATE INDEX trading_windows_ranked ON public.trading_windows USING btree (span, traders DESC, quote_volume DESC) WHERE (traders > 0);

CREATE INDEX transactions_action ON public.transactions USING btree (action, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX transactions_base ON public.transactions USING btree (base_token, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX transactions_deploy ON public.transactions USING btree (pool_address) WHERE (action = 'DEPLOY'::text);

CREATE INDEX transactions_facets ON public.transactions USING btree (chain, action, status, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX transactions_hash ON public.transactions USING btree (tx_hash);

CREATE INDEX transactions_quote ON public.transactions USING btree (quote_token, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX transactions_recent ON public.transactions USING btree (created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX transactions_status ON public.transactions USING btree (status, action, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX transactions_unsettled ON public.transactions USING btree (created_at DESC, id DESC) WHERE (((status = 'pending'::text) OR is_reported) AND (chain = 'solana'::text) AND (action <> 'BRIDGE'::text) AND (deleted_at IS NULL));

CREATE INDEX transactions_user ON public.transactions USING btree (user_address, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE OR REPLACE FUNCTION public.letters_in_a_row(text text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
    declare
      words text[] := regexp_split_to_array(text, '[^[:alnum:]]+');
      letters text[] := '{}';
      last text := '';
      word text;
      piece text;
    begin
      foreach word in array words loop
        if word <> '' then
          if last <> '' then
            letters := letters || (right(last, 3) || ' ' || left(word, 3));
          end if;
          -- To find a place in a text takes the longer, the further it is.
          for start in 0 .. (length(word) - 6) / 100 loop
            piece := substr(word, start * 100 + 1, 105);
            for place in 1 .. length(piece) - 5 loop
              letters := letters || substr(piece, place, 6);
            end loop;
          end loop;
          last := word;
        end if;
      end loop;
      return letters;
    end $function$
;

CREATE OR REPLACE FUNCTION public.note_recorded_trade()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if tg_op <> 'INSERT' and old.action in ('BUY', 'SELL') and old.status <> 'failed' and old.deleted_at is null then
        insert into recorded_changes (sign, base_mint, trader, amount, decimals, created_at)
        values (-1, old.base_token, old.user_address,
          case old.action when 'BUY' then old.amount_in else old.amount_out end,
          case old.action when 'BUY' then old.amount_in_decimals else old.amount_out_decimals end, old.created_at);
      end if;
      if tg_op <> 'DELETE' and new.action in ('BUY', 'SELL') and new.status <> 'failed' and new.deleted_at is null then
        insert into recorded_changes (sign, base_mint, trader, amount, decimals, created_at)
        values (1, new.base_token, new.user_address,
          case new.action when 'BUY' then new.amount_in else new.amount_out end,
          case new.action when 'BUY' then new.amount_in_decimals else new.amount_out_decimals end, new.created_at);
      end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.number_token()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
    begin
      select number into new.mint_number from mint_numbers where base_mint = new.mint_address;
      return new;
    end $function$
;

CREATE OR REPLACE FUNCTION public.number_window()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
    begin
      select number into new.mint_number from mint_numbers where base_mint = new.base_mint;
      if new.mint_number is null then
        insert into mint_numbers (base_mint) values (new.base_mint) on conflict (base_mint) do nothing
        returning number into new.mint_number;
      end if;
      -- Numbered by another transaction in between.
      if new.mint_number is null then
        select number into strict new.mint_number from mint_numbers where base_mint = new.base_mint;
      end if;
      return new;
    end $function$
;

CREATE TRIGGER number_new_token BEFORE INSERT ON public.tokens FOR EACH ROW WHEN ((new.mint_number IS NULL)) EXECUTE FUNCTION number_token();

CREATE TRIGGER number_new_window BEFORE INSERT ON public.trading_windows FOR EACH ROW WHEN ((new.mint_number IS NULL)) EXECUTE FUNCTION number_window();

CREATE TRIGGER note_changed_trade AFTER UPDATE ON public.transactions FOR EACH ROW WHEN (((((((((((old.action IS DISTINCT FROM new.action) OR ((old.status = 'failed'::text) IS DISTINCT FROM (new.status = 'failed'::text))) OR ((old.deleted_at IS NULL) IS DISTINCT FROM (new.deleted_at IS NULL))) OR (old.base_token IS DISTINCT FROM new.base_token)) OR (old.user_address IS DISTINCT FROM new.user_address)) OR (old.amount_in IS DISTINCT FROM new.amount_in)) OR (old.amount_in_decimals IS DISTINCT FROM new.amount_in_decimals)) OR (old.amount_out IS DISTINCT FROM new.amount_out)) OR (old.amount_out_decimals IS DISTINCT FROM new.amount_out_decimals)) OR (old.created_at IS DISTINCT FROM new.created_at))) EXECUTE FUNCTION note_recorded_trade();

CREATE TRIGGER note_deleted_trade AFTER DELETE ON public.transactions FOR EACH ROW WHEN ((old.action = ANY (ARRAY['BUY'::text, 'SELL'::text]))) EXECUTE FUNCTION note_recorded_trade();

CREATE TRIGGER note_new_trade AFTER INSERT ON public.transactions FOR EACH ROW WHEN ((new.action = ANY (ARRAY['BUY'::text, 'SELL'::text]))) EXECUTE FUNCTION note_recorded_trade();

