import { SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { type Address, isOffCurveAddress } from "@solana/kit"

let made = 0

/** A unique address. */
export const sampleAddress = (): string => {
  const bytes = new Uint8Array(32).fill(7)
  new DataView(bytes.buffer).setUint32(0, ++made)
  return encodeBase58(bytes)
}

/** A unique address of a key that can sign. */
export const sampleWallet = (): string => {
  const address = sampleAddress()
  return isOffCurveAddress(address as Address) ? sampleWallet() : address
}

/** A unique address that no key can sign for. */
export const sampleProgramAddress = (): string => {
  const address = sampleAddress()
  return isOffCurveAddress(address as Address) ? address : sampleProgramAddress()
}

/** A unique signature. */
export const sampleSignature = (): string => {
  const bytes = new Uint8Array(64).fill(9)
  new DataView(bytes.buffer).setUint32(0, ++made)
  return encodeBase58(bytes)
}

export const SOL = "So11111111111111111111111111111111111111112"

/** The body of a token registration, with the given differences. */
export const tokenDraft = (fields: Readonly<Record<string, unknown>> = {}) => ({
  name: "Sample Token",
  symbol: "SMPL",
  description: "A token to test with",
  totalSupply: "1000000000",
  decimals: "6",
  mintAddress: sampleAddress(),
  owner: sampleAddress(),
  launchpad: "launchpad_a",
  ...fields,
})

/** The body that registers one of the seeded launches, with the given differences. */
export const seededDraft = (mintAddress: string, fields: Readonly<Record<string, unknown>> = {}) => {
  const { creator: owner, name, symbol } = SEEDED_POOLS.find(({ baseMint }) => baseMint === mintAddress)!
  return tokenDraft({ mintAddress, owner, name, symbol, ...fields })
}

/** The body of a transaction record, with the given differences. */
export const transactionDraft = (fields: Readonly<Record<string, unknown>> = {}) => ({
  userAddress: sampleAddress(),
  txHash: `hash-${++made}`,
  action: "BUY",
  baseToken: sampleAddress(),
  quoteToken: SOL,
  amountIn: 1.5,
  amountOut: 1000,
  pricePerToken: 0.0015,
  slippageBps: 100,
  fee: 0.01,
  feeToken: SOL,
  status: "pending",
  chain: "SOLANA",
  poolAddress: sampleAddress(),
  ...fields,
})
