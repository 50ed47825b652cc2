import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer } from "effect"
import { buildDag } from "../../src/content/Dag.ts"
import { IpfsContent } from "../../src/content/IpfsContent.ts"
import { type BackendName, IpfsPlacement } from "../../src/placement/IpfsPlacement.ts"
import type { ScriptedBackend } from "../backends/ScriptedBackend.ts"

/** A placement with a scripted backend; in a database of its own unless one is given. */
export const placedOn = (order: ReadonlyArray<BackendName>, backend?: ScriptedBackend) =>
  Layer.provideMerge(IpfsPlacement.layer({ order, backend }), IpfsContent.layer)

export const withDatabase = Layer.provideMerge(TestDatabase.layer)

export const textDag = (content: string) => buildDag(new TextEncoder().encode(content))
export const textCid = (content: string) => textDag(content).root.toString()
/** Places a text. */
export const storeText = (content: string) =>
  Effect.flatMap(IpfsPlacement, ({ store }) => store(textDag(content), { contentType: "text/plain" }))
