/** The clusters the service can work on. */
export type Network = "mainnet" | "devnet" | "localnet"

/** Genesis hash of a cluster; a localnet has a new one every time. */
export const GENESIS_HASH: Readonly<Record<Network, string | undefined>> = {
  mainnet: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
  devnet: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
  localnet: undefined,
}

/** Instead of a genesis hash: any cluster will do, as long as all endpoints are of the same. */
export const ANY_GENESIS = "any"
