import { relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { testKinds } from "./TestKinds.ts"

/** Takes longest, most of it waiting. */
const LONGEST = "packages/service/test/Bridging.test.ts"

const { database, processes } = testKinds()
const RANKS = new Map([
  ...processes.map((file) => [file, file === LONGEST ? 0 : 1] as const),
  ...database.map((file) => [file, 2] as const),
])

/** What waits for processes begins first, and what is small comes last, so that no worker has a long file alone at the end. */
export default class TestOrder extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification) => RANKS.get(relative(process.cwd(), moduleId)) ?? 3
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
