import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { Window } from "happy-dom"
import { act, createElement, type FunctionComponent } from "react"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { connect } from "../src/Client.ts"
import { RegistryProvider, useAnswer, useEvents, useItems, useLand, useRegistry } from "../src/ReactHooks.ts"
import { refusal, standIn, success } from "./StandIn.ts"

const globals = globalThis as Record<string, unknown>

describe("The React hooks", () => {
  const window = new Window()
  beforeAll(() => {
    Object.assign(globals, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true })
  })
  afterAll(async () => {
    for (const name of ["window", "document", "IS_REACT_ACT_ENVIRONMENT"]) delete globals[name]
    await window.happyDOM.close()
  })

  /** Renders what a component shows of a registry. */
  const rendered = async (url: string, component: FunctionComponent) => {
    const { createRoot } = await import("react-dom/client")
    const place = window.document.createElement("div")
    const root = createRoot(place as never)
    const client = new QueryClient()
    const registry = connect({ baseUrl: url, retries: 0 })
    const tree = createElement(
      QueryClientProvider,
      { client },
      createElement(RegistryProvider, { registry }, createElement(component)),
    )
    await act(async () => root.render(tree))
    const until = async (text: string) => {
      while (place.textContent !== text) await act(() => new Promise((resolve) => setTimeout(resolve, 5)))
    }
    return {
      until,
      leave: async () => {
        await act(async () => root.unmount())
        client.clear()
      },
    }
  }

  it("show an answer, and a refusal by its code", async () => {
    await using registry = await standIn(({ path }) =>
      path.endsWith("/known") ? success({ name: "Known" }) : refusal(404, "not_found"),
    )
    const shown = await rendered(registry.url, () => {
      const known = useAnswer(({ tokens }) => tokens.getByMint, { address: "known" })
      const unknown = useAnswer(({ tokens }) => tokens.getByMint, { address: "unknown" })
      const off = useAnswer(({ tokens }) => tokens.getByMint, { address: "off" }, { enabled: false })
      return `${known.data?.data.name} ${unknown.error?.code} ${off.data?.data.name}`
    })
    await shown.until("Known not_found undefined")
    assert.sameMembers(
      registry.asked.map(({ path }) => path),
      ["/api/tokens/mint/known", "/api/tokens/mint/unknown"],
    )
    await shown.leave()
  })

  it("add page after page of a list", async () => {
    await using registry = await standIn(({ path }) => {
      const cursor = Number(new URL(path, "http://x").searchParams.get("cursor") ?? 0)
      return success([{ name: `T${cursor}` }], {
        pagination: { limit: 1, nextCursor: cursor < 2 ? `${cursor + 1}` : null },
      })
    })
    const shown = await rendered(registry.url, () => {
      const { data = [], fetchNextPage, hasNextPage, isFetching } = useItems(({ tokens }) => tokens.list, { limit: 1 })
      if (hasNextPage && !isFetching) void fetchNextPage()
      return data.map(({ name }) => name).join(" ")
    })
    await shown.until("T0 T1 T2")
    assert.strictEqual(registry.asked.length, 3)
    await shown.leave()
  })

  it("follow the stream while they are shown, with the newest handler", async () => {
    let open = 0
    await using registry = await standIn((_, response) => {
      open++
      response.on("close", () => open--)
      response.write('id: 1-0\nevent: trade\ndata: {"side":"BUY"}\n\n')
    })
    const seen: Array<string> = []
    const shown = await rendered(registry.url, () => {
      const { isOpen } = useEvents({ types: ["trade"] }, ({ event }) => seen.push(event))
      return isOpen ? "open" : "closed"
    })
    await shown.until("open")
    while (seen.length === 0) await act(() => new Promise((resolve) => setTimeout(resolve, 5)))
    assert.deepStrictEqual(seen, ["trade"])
    await shown.leave()
    while (open > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  })

  it("land transactions, and say why one did not land", async () => {
    await using registry = await standIn(() => refusal(409, "simulation_failed"))
    const transactions = { transaction: btoa("bytes") }
    const shown = await rendered(registry.url, () => {
      const { data, isIdle, mutate } = useLand()
      if (isIdle) mutate({ transactions, sign: async (bytes) => bytes })
      return data?.success === false ? data.code : ""
    })
    await shown.until("simulation_failed")
    await shown.leave()
  })

  it("say that they need a provider", async () => {
    const { renderToString } = await import("react-dom/server")
    const Orphan = () => {
      useRegistry()
      return null
    }
    assert.throws(() => renderToString(createElement(Orphan)), /There is no RegistryProvider/)
  })
})
