import { relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { testKinds } from "./TestKinds.ts"

const { database, processes } = testKinds()
const RANKS = new Map([...processes.map((file) => [file, 0] as const), ...database.map((file) => [file, 1] as const)])

/** What waits for processes begins first, and what is small comes last, so that no worker has a long file alone at the end. */
export default class TestOrder extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification) => RANKS.get(relative(process.cwd(), moduleId)) ?? 2
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
