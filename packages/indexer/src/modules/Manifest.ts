import { createHash } from "node:crypto"
import type { Batch } from "./Batch.ts"

/**
 * How a store folds what it is given, in Substreams' terms. Every one of them gives the same in any order: `first` and `last`
 * go by ordinal, not by arrival.
 */
export type UpdatePolicy = "add" | "min" | "max" | "first" | "last"

/**
 * A step from blocks to database changes, in Substreams' terms: `map` computes from its inputs alone, `store` says how
 * values are folded. Pure, so that running it again gives the same.
 */
export interface Module {
  readonly name: string
  readonly kind: "map" | "store"
  /** How a store folds each of its values. */
  readonly updatePolicies?: Readonly<Record<string, UpdatePolicy>>
  /** Names of the modules whose outputs it takes; `blocks` are the blocks themselves. */
  readonly inputs: ReadonlyArray<string>
  /** Raised with every change of what it computes: outputs of another version are not mixed with this one's. */
  readonly version: number
  readonly run: (...inputs: ReadonlyArray<never>) => unknown
}

/** Modules in an order in which every input comes before what takes it. */
export interface Manifest {
  readonly modules: ReadonlyArray<Module>
  /** Of the output module and everything it depends on: the identity of what a cursor belongs to. */
  readonly hash: string
  readonly run: (batch: Batch) => unknown
}

/** Orders the modules; `config` is what all of them rest on. Throws when an input is missing or modules depend on each other in a circle. */
export const makeManifest = (declared: ReadonlyArray<Module>, output: string, config = ""): Manifest => {
  const byName = new Map(declared.map((module) => [module.name, module]))
  const ordered: Array<Module> = []
  const visiting = new Set<string>()
  const visit = (name: string): void => {
    if (name === "blocks" || ordered.some((module) => module.name === name)) return
    const module = byName.get(name)
    if (module === undefined) throw new Error(`Module ${name} is not declared`)
    if (visiting.has(name)) throw new Error(`Module ${name} depends on itself through ${[...visiting].join(", ")}`)
    visiting.add(name)
    for (const input of module.inputs) visit(input)
    visiting.delete(name)
    ordered.push(module)
  }
  visit(output)
  return {
    modules: ordered,
    hash: hashOf(ordered, config),
    run: (batch) => {
      const outputs = new Map<string, unknown>([["blocks", batch]])
      for (const { inputs, name, run } of ordered)
        outputs.set(name, run(...(inputs.map((input) => outputs.get(input)) as Array<never>)))
      return outputs.get(output)
    },
  }
}

const hashOf = (ordered: ReadonlyArray<Module>, config: string): string => {
  const described = ordered.map(
    ({ inputs, kind, name, updatePolicies, version }) =>
      `${name} ${kind} ${version} ${inputs.join(",")} ${JSON.stringify(updatePolicies ?? {})}`,
  )
  return createHash("sha256")
    .update([config, ...described].join("\n"))
    .digest("hex")
    .slice(0, 32)
}
