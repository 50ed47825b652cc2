import { BaseSequencer, type TestSpecification } from "vitest/node"

/** What waits for processes begins first, and the small tests come last, so that no worker has a long one alone at the end. */
const ORDER = ["processes", "database", "unit"]

/** The order of files: a worker goes on with files of its project. */
export default class TestOrder extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ project }: TestSpecification) => ORDER.indexOf(project.name)
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
