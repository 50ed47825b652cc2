import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import { examples } from "../../../scripts/Laws.ts"
import { buildDag } from "../src/content/Dag.ts"
import { IpfsContent } from "../src/content/IpfsContent.ts"
import { w3upBackend } from "../src/w3up/W3upBackend.ts"
import { backendAt } from "./filebase/BackendAt.ts"
import { filebaseStandIn } from "./filebase/FilebaseStandIn.ts"
import { noise } from "./Noise.ts"
import { w3upService } from "./w3up/W3upService.ts"

const Size = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3_200_000 }))
const MIB = 1_048_576

layer(Layer.provideMerge(IpfsContent.layer, TestDatabase.layer), { excludeTestServices: true })(
  "The same bytes",
  (it) => {
    /** Stores content everywhere and returns the root CID of each place. */
    const rootsOf = Effect.fnUntraced(function* (size: number) {
      const bytes = noise(size, `same-${size}`)
      const dag = buildDag(bytes)
      const filebase = yield* filebaseStandIn
      const w3up = yield* w3upService
      const content = yield* IpfsContent
      const stored = yield* content.store(dag, { contentType: "image/png" })
      assert.deepStrictEqual(Option.getOrThrow(yield* content.readDag(stored)).blocks.length, dag.blocks.length)
      yield* backendAt(filebase).put(dag, { contentType: "image/png" })
      const [object] = filebase.objects.values()
      assert.isTrue(Buffer.from(object!.file).equals(bytes))
      yield* (yield* w3upBackend(w3up)).put(dag, { contentType: "image/png" })
      assert.isTrue(Option.isSome(yield* content.find(stored.cid)))
      return {
        here: dag.root.toString(),
        embedded: stored.cid,
        filebase: object!.cid.toString(),
        w3up: yield* w3up.uploadFile(bytes),
      }
    }, Effect.scoped)

    const isOne = (size: number) =>
      Effect.map(rootsOf(size), (roots) =>
        assert.lengthOf(new Set(Object.values(roots).map(String)), 1, JSON.stringify(roots)),
      )

    for (const size of [0, 1, MIB, MIB + 1]) {
      it.effect(`have the same CID on every backend and in other implementations: ${size} bytes`, () => isOne(size))
    }

    it.effect.prop(
      "have the same CID on every backend and in other implementations, at any size",
      { Size },
      ({ Size }) => isOne(Size),
      {
        arbitrary: { runs: examples(3, 40) },
        timeout: 60_000,
      },
    )
  },
)
