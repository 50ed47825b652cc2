import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import type { TradeRow } from "@launch-registry/indexer/modules/FactRows"
import { decodedBatches, type Prepare } from "./Workload.ts"

const FOLDER = fileURLToPath(new URL("sqd/", import.meta.url))
/** It depends on TypeORM, so it is installed separately. */
export const INSTALL_SQUID = "npm install --prefix bench/ingest/sqd"
export const hasSquid = existsSync(new URL("sqd/node_modules/@subsquid/typeorm-store", import.meta.url))

interface Head {
  readonly height: number
  readonly hash: string
}
interface Store {
  readonly insert: (rows: ReadonlyArray<object>) => Promise<void>
}
interface SquidDatabase {
  readonly connect: () => Promise<Head>
  readonly transact: (
    info: { readonly prevHead: Head; readonly nextHead: Head; readonly isOnTop: boolean },
    update: (store: Store) => Promise<void>,
  ) => Promise<void>
}

/**
 * SQD's own store as a squid uses it: a transaction per batch, with its head. A squid's source yields nothing
 * twice, so duplicates are removed here for free, by a set in memory.
 */
export const squid: Prepare = async (bodies, { database, socketDirectory, username }) => {
  Object.assign(process.env, { DB_HOST: socketDirectory, DB_USER: username, DB_NAME: database })
  const require = createRequire(new URL("sqd/", import.meta.url))
  const { TypeormDatabase } = require("@subsquid/typeorm-store")
  const { Trade } = require("./lib/model/index.js") as { readonly Trade: new (values: object) => object }
  const store = new TypeormDatabase({ projectDir: FOLDER, supportHotBlocks: false }) as SquidDatabase
  let prevHead = await store.connect()
  const seen = new Set<string>()
  const isFirst = ({ ordinal, signature }: TradeRow) => {
    const known = seen.size
    return seen.add(`${ordinal} ${signature}`).size > known
  }
  return async () => {
    for (const rows of decodedBatches(bodies)) {
      const trades = rows
        .filter(isFirst)
        .map((row) => new Trade({ ...row, blockTime: new Date(row.blockTime * 1_000) }))
      const nextHead = { height: prevHead.height + 1, hash: `0x${prevHead.height + 1}` }
      await store.transact({ prevHead, nextHead, isOnTop: false }, async (tx) => {
        await tx.insert(trades)
      })
      prevHead = nextHead
    }
  }
}
