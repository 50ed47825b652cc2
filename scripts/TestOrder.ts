import { relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { testKinds } from "./TestKinds.ts"

/** Takes longest, most of it waiting. */
const FIRST = "packages/service/test/Bridging.test.ts"

const small = new Set(testKinds().unit)

/** What is long begins first, and what is small comes last, so that no worker has a long file alone at the end. */
export default class TestOrder extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification) => {
      const file = relative(process.cwd(), moduleId)
      return file === FIRST ? 0 : small.has(file) ? 2 : 1
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
