import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { parse, parseAllDocuments } from "yaml"
import { COMMANDS } from "../bundle/Commands.ts"
import { readSettings, SETTING_NAMES, type Settings } from "../packages/service/src/Settings.ts"

const ROOT = join(import.meta.dirname, "..")
const read = (path: string) => readFileSync(join(ROOT, path), "utf8")
// oxlint-disable-next-line typescript/no-explicit-any
type Yaml = any

const dockerfile = read("Dockerfile")
/** What an instruction of the Dockerfile's last stage says. */
const instruction = (name: string) => new RegExp(`^${name} (.*)$`, "m").exec(dockerfile.split(/^FROM /m).at(-1)!)![1]!
const port = Number(instruction("EXPOSE"))

const compose: Yaml = parse(read("compose.yaml"), { merge: true })
const ours = Object.entries<Yaml>(compose.services).filter(([, { build }]) => build === ".")

const manifests: ReadonlyArray<Yaml> = globSync("deploy/kubernetes/*.yaml", { cwd: ROOT })
  .filter((path) => basename(path) !== "kustomization.yaml")
  .flatMap((path) => parseAllDocuments(read(path)).map((document) => document.toJS()))
const kustomization: Yaml = parse(read("deploy/kubernetes/kustomization.yaml"))
const pods = manifests
  .filter(({ kind }) => kind === "Deployment" || kind === "Job")
  .map(({ metadata, spec }) => ({ name: metadata.name as string, pod: spec.template.spec as Yaml }))

/** What an operator sets for compose. */
const OF_OPERATOR: Readonly<Record<string, string>> = { NETWORK: "mainnet", PUBLIC_URL: "https://api.example.com" }
const FILES: Readonly<Record<string, string>> = {
  DATABASE_URL: "postgres://registry:secret@postgres:5432/registry",
  RPC_URL: "https://rpc.example.com/?key=secret",
}

const composeEnvironment = (environment: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/^\$\{(\w+):([?-])(.*)\}$/, (_, variable: string, kind: string, text: string) =>
        kind === "-" ? text : (OF_OPERATOR[variable] ?? assert.fail(`${variable} is not told of`)),
      ),
    ]),
  )

const kubernetesEnvironment = (container: Yaml): Record<string, string> => {
  const generated = Object.fromEntries(
    kustomization.configMapGenerator.map(({ literals, name }: Yaml) => [
      name,
      literals.map((literal: string) => /^(\w+)=(.*)$/.exec(literal)!.slice(1)),
    ]),
  )
  const named = (container.envFrom ?? []).flatMap(({ configMapRef }: Yaml) => generated[configMapRef.name])
  return Object.fromEntries([...named, ...(container.env ?? []).map(({ name, value }: Yaml) => [name, value])])
}

const environments = [
  ...ours.map(([name, { environment }]) => [`compose ${name}`, composeEnvironment(environment)] as const),
  ...pods.map(({ name, pod }) => [`kubernetes ${name}`, kubernetesEnvironment(pod.containers[0])] as const),
]

const seconds = (text: string): number => Number(/^(\d+)s$/.exec(text)![1])
/** Requests are taken for 5 s after SIGTERM, and then finished. */
const drain = /DRAIN_MILLIS = ([\d_]+)/.exec(read("packages/service/src/ApiServer.ts"))![1]!
const stopSeconds = 5 + Number(drain.replace("_", "")) / 1000

describe("The container's files", () => {
  let folder = ""
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "registry-deployment-"))
    for (const [name, value] of Object.entries(FILES)) writeFileSync(join(folder, name), `${value}\n`)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("set nothing that is not a setting", () => {
    const known = SETTING_NAMES.flatMap((name) => [name, `${name}_FILE`])
    for (const [, environment] of environments) assert.includeMembers(known, Object.keys(environment))
    assert.includeMembers(
      [...known, "NODE_ENV", "NODE_OPTIONS"],
      instruction("ENV")
        .split(" ")
        .map((one) => one.split("=")[0]!),
    )
  })

  it("set all that a service in production needs, with secrets from files alone", async () => {
    const roles: Array<Settings["role"]> = []
    for (const [where, environment] of environments.filter(([name]) => !name.endsWith("migrate"))) {
      for (const secret of Object.keys(FILES)) assert.notProperty(environment, secret, where)
      const local = Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [
          name,
          name.endsWith("_FILE") ? join(folder, name.replace(/_FILE$/, "")) : value,
        ]),
      )
      const image = Object.fromEntries(
        instruction("ENV")
          .split(" ")
          .map((one) => one.split("=")),
      )
      const settings = await Effect.runPromise(readSettings({ ...image, ...local }))
      assert.deepStrictEqual(settings.misspelt, [], where)
      assert.deepInclude(settings, { runMode: "production", port, host: "0.0.0.0" }, where)
      roles.push(settings.role)
    }
    assert.deepStrictEqual(roles, ["api", "indexer", "api", "indexer"])
  })

  it("run as the image's user, read-only, and without capabilities", () => {
    const [uid, gid] = instruction("USER").split(":").map(Number)
    assert.deepStrictEqual([uid, gid], [1000, 1000])
    for (const [name, service] of Object.entries<Yaml>(compose.services)) {
      assert.deepInclude(service, { read_only: true, cap_drop: ["ALL"] }, name)
      assert.include(service.security_opt, "no-new-privileges:true", name)
    }
    for (const { name, pod } of pods) {
      assert.deepInclude(pod.securityContext, { runAsNonRoot: true, runAsUser: uid, runAsGroup: gid }, name)
      assert.deepInclude(
        pod.containers[0].securityContext,
        { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } },
        name,
      )
    }
  })

  it("agree on the port, and give a stop longer than requests are finished for", () => {
    for (const [name, { ports = [], stop_grace_period: grace }] of ours) {
      for (const published of ports) assert.match(published, new RegExp(`:${port}$`), name)
      assert.isAbove(seconds(grace), stopSeconds, name)
    }
    for (const { name, pod } of pods.filter((one) => one.name !== "migrate")) {
      const [container] = pod.containers
      assert.deepStrictEqual(container.ports, [{ name: "http", containerPort: port }], name)
      assert.isAbove(pod.terminationGracePeriodSeconds, stopSeconds, name)
      for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"])
        assert.include(["/livez", "/readyz"], container[probe].httpGet.path, name)
    }
    const targets = manifests.filter(({ kind }) => kind === "Service").flatMap(({ spec }) => spec.ports)
    for (const { targetPort } of targets) assert.strictEqual(targetPort, "http")
  })

  it("name commands, files and secrets that are there", () => {
    const commands = [instruction("CMD"), ...ours.map(([, { command }]) => command?.join(" ") ?? "")]
    for (const container of pods.map(({ pod }) => pod.containers[0])) commands.push(container.command?.join(" ") ?? "")
    const bundled = Object.keys(COMMANDS).map((name) => `dist/${name}.mjs`)
    const named = commands.flatMap((command) => command.match(/[\w/.-]+\.m?[jt]s\b/g) ?? [])
    assert.isAtLeast(named.length, 3)
    assert.includeMembers(bundled, named)
    for (const [, command] of read("docs/container.md").matchAll(/token-launch-registry node (\S+)/g))
      assert.include(bundled, command)
    for (const main of Object.values(COMMANDS)) assert.isTrue(existsSync(join(ROOT, main)), main)
    for (const [name, { environment = {}, secrets = [] }] of Object.entries<Yaml>(compose.services)) {
      const mounted = Object.entries<string>(environment).flatMap(([variable, value]) =>
        variable.endsWith("_FILE") ? [basename(value)] : [],
      )
      assert.sameMembers(mounted, secrets, name)
      assert.includeMembers(Object.keys(compose.secrets), secrets, name)
    }
    assert.sameMembers(
      kustomization.resources,
      globSync("*.yaml", { cwd: join(ROOT, "deploy/kubernetes") }).filter((file) => file !== "kustomization.yaml"),
    )
  })

  it("build with the Node and the version of the workspace, from a pinned base, with every file that is imported", () => {
    const nodes = [...read("pnpm-workspace.yaml").matchAll(/^  node-linux-\w+: (\S+)$/gm)].map(([, version]) => version)
    const [node, ...others] = new Set(nodes)
    assert.isEmpty(others)
    assert.match(dockerfile, new RegExp(`^ARG NODE_IMAGE=\\S+/node:${node}-bookworm-slim@sha256:[0-9a-f]{64}$`, "m"))
    for (const [, image] of dockerfile.matchAll(/^FROM (?:--\S+ )?(\S+)/gm)) assert.strictEqual(image, "${NODE_IMAGE}")
    assert.strictEqual(/^ARG VERSION=(.*)$/m.exec(dockerfile)![1], JSON.parse(read("package.json")).version)
    const kept = read(".dockerignore").split("\n")
    for (const source of globSync("{packages/*,migrations}/src/**/*.ts", { cwd: ROOT }))
      for (const [, file] of read(source).matchAll(/from "\.\.\/\.\.\/(fixtures\/[^"]+)"/g))
        assert.include(kept, `!${source.split("/").slice(0, 2).join("/")}/${file}`, source)
  })
})
