/** What a fork changes to be another launchpad. Colours are in `src/design/tokens.css`, the logo is `src/logo.svg`. */
export const brand = {
  name: "Launchpad",
  /** In the title of the page and on the board. */
  claim: "Launch a token. Trade it from the first second.",
  /** URL of the registry; empty for the host that serves these files. */
  registry: "" as string,
  /** Network of the registry: `mainnet`, `devnet`, `testnet` or `localnet`. A page that the registry serves is told. */
  network: "localnet",
  /** Launchpad of tokens that are launched here: one of `LAUNCHPADS` of the registry. */
  launchpad: "launchpad_a",
  /** Whether the board lists launches of others, too. */
  listsOthers: true,
  /** Explorer of transactions and addresses on a public network; `{kind}` is `tx` or `account`. */
  explorer: "https://solscan.io/{kind}/{id}",
} as const
