import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Schema } from "effect"

// As patched (CONTRIBUTING.md, patches).

const SERVICES = Array.from({ length: 24 }, (_, n) => Context.Service<number>(`test/${n}`))

/** Services added one after the other, some of them twice, and read in between, which may move them into one map. */
const Additions = Schema.Array(
  Schema.Tuple([
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 23 })),
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99 })),
  ]),
).check(Schema.isMaxLength(40))

const added = (context: Context.Context<never>, all: ReadonlyArray<readonly [number, number]>) => {
  for (const [service, value] of all) {
    context = Context.add(context, SERVICES[service]!, value) as Context.Context<never>
    for (let times = 0; times < value % 30; times++) Context.getOption(context, SERVICES[service]!)
  }
  return context
}

describe("Contexts that are merged", () => {
  it.effect.prop(
    "have the services of the second, and of the first those that the second has not",
    { server: Additions, first: Additions, second: Additions, provided: Additions },
    ({ first, provided, second, server }) =>
      Effect.sync(() => {
        const ofServer = added(Context.empty(), server)
        const services = added(Context.empty(), provided)
        for (const request of [added(ofServer, first), added(ofServer, second), added(ofServer, first)]) {
          const merged = Context.merge(request, services)
          const expected = new Map([...request.mapUnsafe, ...services.mapUnsafe])
          for (const service of SERVICES)
            assert.deepStrictEqual(Context.getOrUndefined(merged, service), expected.get(service.key))
          assert.deepStrictEqual(new Map(merged.mapUnsafe), expected)
        }
      }),
  )

  it("copy the services of a server once, however many requests they are provided to", () => {
    const ofServer = Context.makeUnsafe(new Map(SERVICES.slice(0, 20).map(({ key }, n) => [key, n])))
    const services = Context.make(SERVICES[23]!, 23)
    const bases = Array.from({ length: 3 }, (_, n) => {
      const request = Context.add(ofServer, SERVICES[22]!, n)
      return (Context.merge(request, services) as unknown as { readonly base: unknown }).base
    })
    assert.strictEqual(new Set(bases).size, 1)
  })
})
