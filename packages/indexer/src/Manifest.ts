import { createHash } from "node:crypto"
import type { Block } from "./Block.ts"

/**
 * A step from blocks to database changes, in Substreams' terms: `map` computes from its inputs alone, `store` says how
 * values are folded. Pure, so that running it again gives the same.
 */
export interface Module {
  readonly name: string
  readonly kind: "map" | "store"
  /** Names of the modules whose outputs it takes; `block` is the block itself. */
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
  readonly run: (block: Block) => unknown
}

/** Orders the modules. Throws when an input is missing or modules depend on each other in a circle. */
export const makeManifest = (declared: ReadonlyArray<Module>, output: string): Manifest => {
  const byName = new Map(declared.map((module) => [module.name, module]))
  const ordered: Array<Module> = []
  const visiting = new Set<string>()
  const visit = (name: string): void => {
    if (name === "block" || ordered.some((module) => module.name === name)) return
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
    hash: hashOf(ordered),
    run: (block) => {
      const outputs = new Map<string, unknown>([["block", block]])
      for (const { inputs, name, run } of ordered)
        outputs.set(name, run(...(inputs.map((input) => outputs.get(input)) as Array<never>)))
      return outputs.get(output)
    },
  }
}

const hashOf = (ordered: ReadonlyArray<Module>): string => {
  const described = ordered.map(({ inputs, kind, name, version }) => `${name} ${kind} ${version} ${inputs.join(",")}`)
  return createHash("sha256").update(described.join("\n")).digest("hex").slice(0, 32)
}
