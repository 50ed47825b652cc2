import { decodeBase58, encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { mintData, tokenAccountData } from "../../src/localnet/TokenAccounts.ts"
import { type JsonRpcCall, result, type StandInNode } from "../rpc/StandInNode.ts"

/** What an address of these mints is. */
const [MINT, ACCOUNT, OWNER] = [9, 5, 7]
const LARGEST = 20
const RENT_LAMPORTS = 2_039_280n

const addressOf = (kind: number, accounts: number, index: number): string => {
  const bytes = new Uint8Array(32).fill(kind)
  new DataView(bytes.buffer).setUint32(4, accounts)
  new DataView(bytes.buffer).setUint32(8, index)
  return encodeBase58(bytes)
}

const partsOf = (address: string) => {
  const bytes = decodeBase58(address)!
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return { kind: bytes[0]!, accounts: view.getUint32(4), index: view.getUint32(8) }
}

/** A mint with so many token accounts. */
export const heldMint = (accounts: number): string => addressOf(MINT, accounts, 0)

/** Who owns an account of such a mint: account `index` holds `index` + 1. */
export const ownerOf = (accounts: number, index: number): string => addressOf(OWNER, accounts, index)

const infoOf = (data: Uint8Array) => ({
  ...{ data: [Buffer.from(data).toString("base64"), "base64"], executable: false, space: data.length },
  ...{ lamports: Number(RENT_LAMPORTS), owner: TOKEN_PROGRAM, rentEpoch: 0 },
})

const dataOf = (address: string): Uint8Array | undefined => {
  const { accounts, index, kind } = partsOf(address)
  if (kind === MINT) return mintData(10n ** 15n, 6)
  if (kind !== ACCOUNT) return undefined
  return tokenAccountData({
    ...{ mint: heldMint(accounts), owner: ownerOf(accounts, index), amount: BigInt(index + 1) },
    ...{ program: TOKEN_PROGRAM, rentLamports: RENT_LAMPORTS },
  })
}

/** One account in the answer to a scan with a slice of owner and amount, as nodes write it. */
const scanned = (accounts: number, index: number): string => {
  const slice = Buffer.alloc(40)
  slice.set(decodeBase58(ownerOf(accounts, index))!)
  slice.writeBigUInt64LE(BigInt(index + 1), 32)
  const account =
    `{"data":["${slice.toString("base64")}","base64"],"executable":false,"lamports":${RENT_LAMPORTS},` +
    `"owner":"${TOKEN_PROGRAM}","rentEpoch":18446744073709551615,"space":165}`
  return `{"account":${account},"pubkey":"${addressOf(ACCOUNT, accounts, index)}"}`
}

const scans = new Map<number, Buffer>()
const scanOf = (accounts: number): Buffer => {
  const known = scans.get(accounts)
  if (known !== undefined) return known
  const bytes = Buffer.from(`[${Array.from({ length: accounts }, (_, index) => scanned(accounts, index)).join(",")}]`)
  scans.set(accounts, bytes)
  return bytes
}

/** Makes a node answer for such mints. */
export const withHeldMints = (node: StandInNode): StandInNode => {
  const inContext = (value: unknown) => result({ context: { slot: node.slot }, value })
  const mintOfScan = ({ params: [, options] }: JsonRpcCall) => {
    const { filters } = options as { readonly filters: ReadonlyArray<{ readonly memcmp?: { readonly bytes: string } }> }
    return partsOf(filters.at(-1)!.memcmp!.bytes)
  }
  return node
    .behave("getMultipleAccounts", (response, call) => {
      const found = (call.params[0] as ReadonlyArray<string>).map(dataOf)
      inContext(found.map((data) => (data === undefined ? null : infoOf(data))))(response, call)
    })
    .behave("getTokenLargestAccounts", (response, call) => {
      const { accounts } = partsOf(call.params[0] as string)
      const largest = Array.from({ length: Math.min(LARGEST, accounts) }, (_, nth) => {
        const index = accounts - 1 - nth
        const amount = String(index + 1)
        return {
          address: addressOf(ACCOUNT, accounts, index),
          amount,
          decimals: 6,
          uiAmount: null,
          uiAmountString: "0",
        }
      })
      inContext(largest)(response, call)
    })
    .behave("getProgramAccounts", (response, call) => {
      response.write('{"jsonrpc":"2.0","result":')
      response.write(scanOf(mintOfScan(call).accounts))
      response.end(`,"id":${JSON.stringify(call.id)}}`)
    })
}
