import { Effect } from "effect"
import { keyOf, walletOf, wordOf } from "./RandomValues.ts"
import { registerToken } from "./TokenWriter.ts"
import { metadataProblem } from "./UploadWriter.ts"
import { type Desk, Kept, requireSent, type Writer } from "./Writer.ts"

const DECISIONS_MAX = 3

/** Sets whitelist decisions for its own tokens, and has launches built, which are stored. */
export const launchWriter = (desk: Desk): Writer => {
  const { client, ledger, random } = desk
  const kept = new Kept(desk)
  /** Decisions by mint. */
  const decisions = new Map<string, boolean>()
  /** The acknowledged configuration of each signer, who requests only one, and the mint of each configuration. */
  const configs = new Map<string, string>()
  const mints = new Map<string, string>()

  const decide = async () => {
    const { mintAddress: tokenAddress } = await registerToken(desk)
    for (let decision = random.between(1, DECISIONS_MAX); decision > 0; decision--) {
      const whitelisted = random.chance(0.5)
      const path = `/api/launch/${whitelisted ? "whitelist" : "unwhitelist"}`
      const decided = await client.write("whitelist decision", { path, json: { tokenAddress }, key: keyOf(random) })
      requireSent({ mintAddress: tokenAddress, whitelisted }, decided.body.data)
      decisions.set(tokenAddress, whitelisted)
    }
    const swap = { baseMint: tokenAddress, signer: walletOf(random), amount: 1, swapBaseForQuote: false }
    kept.add(async () => {
      if (decisions.get(tokenAddress)) return undefined
      const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(swap) }
      const { body } = await client.read("/api/launch/swap", init)
      return body?.code === "trading_not_allowed" ? undefined : `the decision on ${tokenAddress} (${body?.code})`
    })
  }

  const launch = async () => {
    const signer = walletOf(random)
    const metadata = { name: `Launch ${wordOf(random)}`, symbol: "LNCH", description: wordOf(random) }
    const [path, launchpad] = ["/api/launch/dbc-config", random.pick(["launchpad_a", "launchpad_b"])]
    const built = await client.write("config", { path, json: { metadata, signer, launchpad }, key: keyOf(random) })
    const { dbcConfigKeypair } = built.body.data
    configs.set(signer, dbcConfigKeypair.publicKey)
    const deployed = await client.write("deployment", {
      path: "/api/launch/deploy-token",
      json: { metadata, signer, dbcConfigKeypair },
      key: keyOf(random),
    })
    const { baseMint, uri } = deployed.body.data
    mints.set(dbcConfigKeypair.publicKey, baseMint)
    kept.add(() => metadataProblem(client, String(uri).split("/").at(-1)!, metadata))
  }

  const audit = Effect.fnUntraced(function* (sql) {
    const decided = yield* sql<{ readonly mintAddress: string; readonly whitelisted: boolean }>`
      select mint_address, whitelisted from token_whitelist`
    const stored = new Map(decided.map(({ mintAddress, whitelisted }) => [mintAddress, whitelisted]))
    for (const [mint, whitelisted] of decisions)
      if (stored.get(mint) !== whitelisted) ledger.lost.add(`the decision on ${mint}`)
    const builtConfigs = yield* sql<{ readonly owner: string; readonly thing: string }>`
      select signer as owner, config_address as thing from launch_configs`
    const builtPools = yield* sql<{ readonly owner: string; readonly thing: string }>`
      select config_address as owner, base_mint as thing from launch_deployments`
    for (const [what, acknowledged, rows] of [
      ["config", configs, builtConfigs],
      ["deployment", mints, builtPools],
    ] as const) {
      const byOwner = Map.groupBy(rows, ({ owner }) => owner)
      for (const [owner, thing] of acknowledged) {
        const found = byOwner.get(owner) ?? []
        if (!found.some((row) => row.thing === thing)) ledger.lost.add(`${what} ${thing}`)
        if (found.length > 1) ledger.doubled.add(`${what} of ${owner}: ${found.length}`)
      }
    }
  }) satisfies Writer["audit"]

  return { write: () => (random.chance(0.5) ? decide() : launch()), kept, audit }
}
