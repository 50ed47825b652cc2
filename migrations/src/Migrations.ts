import { fileURLToPath } from "node:url"
import * as Migrator from "effect/sql/Migrator"

/** Folder of the numbered migrations, in a checkout. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL("..", import.meta.url))

/** Every migration, imported when it is applied. Listed, and not found in a folder, so that a bundle has them. */
const FILES = {
  "0001_create_tokens.ts": () => import("../0001_create_tokens.ts"),
  "0002_create_transactions.ts": () => import("../0002_create_transactions.ts"),
  "0003_create_ipfs_blocks.ts": () => import("../0003_create_ipfs_blocks.ts"),
  "0004_create_launches.ts": () => import("../0004_create_launches.ts"),
  "0005_create_trades.ts": () => import("../0005_create_trades.ts"),
  "0006_create_launch_pools.ts": () => import("../0006_create_launch_pools.ts"),
  "0007_create_inbox.ts": () => import("../0007_create_inbox.ts"),
  "0008_derive_from_facts.ts": () => import("../0008_derive_from_facts.ts"),
  "0009_register_from_chain.ts": () => import("../0009_register_from_chain.ts"),
  "0010_create_ipfs_deliveries.ts": () => import("../0010_create_ipfs_deliveries.ts"),
  "0011_create_bridge.ts": () => import("../0011_create_bridge.ts"),
  "0012_keep_launches_true.ts": () => import("../0012_keep_launches_true.ts"),
  "0013_end_records.ts": () => import("../0013_end_records.ts"),
  "0014_bridge_details.ts": () => import("../0014_bridge_details.ts"),
  "0015_create_chain_identity.ts": () => import("../0015_create_chain_identity.ts"),
  "0016_create_idempotent_requests.ts": () => import("../0016_create_idempotent_requests.ts"),
  "0017_find_every_mint.ts": () => import("../0017_find_every_mint.ts"),
  "0018_remember_what_was_unread.ts": () => import("../0018_remember_what_was_unread.ts"),
  "0019_bound_the_log.ts": () => import("../0019_bound_the_log.ts"),
  "0020_create_rpc_cordons.ts": () => import("../0020_create_rpc_cordons.ts"),
  "0021_control_access.ts": () => import("../0021_control_access.ts"),
  "0022_limit_clients.ts": () => import("../0022_limit_clients.ts"),
  "0023_create_notifications.ts": () => import("../0023_create_notifications.ts"),
  "0024_find_unused_uploads.ts": () => import("../0024_find_unused_uploads.ts"),
  "0025_show_operators_what_was_done.ts": () => import("../0025_show_operators_what_was_done.ts"),
  "0026_list_launches.ts": () => import("../0026_list_launches.ts"),
  "0027_roll_windows.ts": () => import("../0027_roll_windows.ts"),
  "0028_find_trades_of_traders.ts": () => import("../0028_find_trades_of_traders.ts"),
  "0029_sort_launches.ts": () => import("../0029_sort_launches.ts"),
  "0030_follow_graduated_pools.ts": () => import("../0030_follow_graduated_pools.ts"),
  "0031_prove_migrated_pools.ts": () => import("../0031_prove_migrated_pools.ts"),
  "0032_create_submissions.ts": () => import("../0032_create_submissions.ts"),
  "0033_find_trades_of_amm_pools.ts": () => import("../0033_find_trades_of_amm_pools.ts"),
  "0034_create_fee_claims.ts": () => import("../0034_create_fee_claims.ts"),
  "0035_compare_names.ts": () => import("../0035_compare_names.ts"),
  "0036_verify_tokens.ts": () => import("../0036_verify_tokens.ts"),
  "0037_create_quote_prices.ts": () => import("../0037_create_quote_prices.ts"),
  "0038_forgo_pool_history.ts": () => import("../0038_forgo_pool_history.ts"),
  "0039_list_pools_from_cursors.ts": () => import("../0039_list_pools_from_cursors.ts"),
  "0040_create_indexer_jobs.ts": () => import("../0040_create_indexer_jobs.ts"),
  "0041_find_swaps_to_review.ts": () => import("../0041_find_swaps_to_review.ts"),
  "0042_find_audited_requests.ts": () => import("../0042_find_audited_requests.ts"),
  "0043_archive_segments.ts": () => import("../0043_archive_segments.ts"),
  "0044_keep_change_ids_apart.ts": () => import("../0044_keep_change_ids_apart.ts"),
  "0045_keep_history.ts": () => import("../0045_keep_history.ts"),
  "0046_find_letters_in_a_row.ts": () => import("../0046_find_letters_in_a_row.ts"),
  "0047_cover_symbols_and_names.ts": () => import("../0047_cover_symbols_and_names.ts"),
  "0048_rank_traded_windows.ts": () => import("../0048_rank_traded_windows.ts"),
  "0049_create_mint_numbers.ts": () => import("../0049_create_mint_numbers.ts"),
  "0050_number_windows.ts": () => import("../0050_number_windows.ts"),
  "0051_number_tokens.ts": () => import("../0051_number_tokens.ts"),
  "0052_give_tags_mints.ts": () => import("../0052_give_tags_mints.ts"),
  "0053_index_tags_with_mints.ts": () => import("../0053_index_tags_with_mints.ts"),
  "0054_replace_token_tags_recent.ts": () => import("../0054_replace_token_tags_recent.ts"),
  "0055_keep_holder_counts.ts": () => import("../0055_keep_holder_counts.ts"),
  "0056_find_tokens_of_rankings.ts": () => import("../0056_find_tokens_of_rankings.ts"),
  "0057_find_tags_of_rankings.ts": () => import("../0057_find_tags_of_rankings.ts"),
  "0058_mark_reported_statuses.ts": () => import("../0058_mark_reported_statuses.ts"),
  "0059_find_reported_statuses.ts": () => import("../0059_find_reported_statuses.ts"),
  "0060_replace_transactions_unsettled.ts": () => import("../0060_replace_transactions_unsettled.ts"),
  "0061_lower_users_of_swaps.ts": () => import("../0061_lower_users_of_swaps.ts"),
  "0062_sweep_built_launches.ts": () => import("../0062_sweep_built_launches.ts"),
} satisfies Readonly<Record<string, () => Promise<{ readonly default: unknown }>>>

/** Names of the files of all migrations, in order. */
export const MIGRATION_FILES: ReadonlyArray<string> = Object.keys(FILES)

/** The first `count` migrations; all by default. */
export const firstMigrations = (count: number = MIGRATION_FILES.length): Migrator.Loader =>
  Migrator.fromGlob(Object.fromEntries(Object.entries(FILES).slice(0, count)))
