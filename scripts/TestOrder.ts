import { BaseSequencer, type TestSpecification } from "vitest/node"

/** What waits for processes begins first, and what is small comes last, so that no worker has a long file alone at the end. */
const PROJECTS = ["processes", "indexer", "database", "unit"]

/** The order of files. A worker goes on with files of its project alone. */
export default class TestOrder extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name)
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
