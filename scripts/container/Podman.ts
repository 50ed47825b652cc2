import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"

export interface Said {
  readonly code: number
  readonly output: string
}

const run = (program: string, args: ReadonlyArray<string>): Promise<Said> =>
  new Promise((resolve) => {
    execFile(program, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}`.trim() }),
    )
  })

/** What a container is run with: as in compose.yaml, and what podman needs where no cgroups and limits can be set. */
const RUN = [
  ...["--network", "host", "--no-healthcheck", "--ulimit", "nofile=10000:10000", "--ulimit", "nproc=5000:5000"],
  ...["--read-only", "--read-only-tmpfs=false", "--tmpfs", "/tmp", "--cap-drop", "all"],
  ...["--security-opt", "no-new-privileges"],
]

/** Podman and buildah on a storage of their own. */
export class Podman {
  readonly #storage: ReadonlyArray<string>
  readonly #run: ReadonlyArray<string>

  /** `secrets` is mounted below `/run/secrets`. */
  constructor(folder: string, secrets: string) {
    this.#storage = ["--root", `${folder}/storage`, "--runroot", `${folder}/run`]
    this.#run = [...RUN, "--volume", `${secrets}:/run/secrets:ro`]
  }

  buildah(...args: ReadonlyArray<string>): Promise<Said> {
    return run("buildah", [...this.#storage, ...args])
  }

  podman(...args: ReadonlyArray<string>): Promise<Said> {
    return run("podman", [...this.#storage, "--runtime", "runc", "--cgroup-manager", "cgroupfs", ...args])
  }

  /** Runs a command of the image to its end; without one, the service. */
  once(image: string, environment: Readonly<Record<string, string>>, ...command: ReadonlyArray<string>): Promise<Said> {
    return this.podman("run", "--rm", ...this.#run, ...variables(environment), image, ...command)
  }

  async start(image: string, environment: Readonly<Record<string, string>>): Promise<string> {
    const said = await this.podman("run", "--detach", ...this.#run, ...variables(environment), image)
    if (said.code !== 0) throw new Error(said.output)
    return said.output.split("\n").at(-1)!
  }

  /** A field of `podman inspect`, as JSON. */
  async inspect(what: "container" | "image", name: string, field: string): Promise<unknown> {
    const { code, output } = await this.podman(what, "inspect", "--format", `{{json ${field}}}`, name)
    if (code !== 0) throw new Error(output)
    return JSON.parse(output)
  }

  /** A line of `/proc/<pid>/status` of the container's first process. */
  async status(container: string, line: string): Promise<string> {
    const pid = Number(await this.inspect("container", container, ".State.Pid"))
    const text = readFileSync(`/proc/${pid}/status`, "utf8")
    return new RegExp(`^${line}:\\s+(.*)$`, "m").exec(text)?.[1] ?? ""
  }
}

const variables = (environment: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(environment).flatMap(([name, value]) => ["--env", `${name}=${value}`])
