import { assert, describe, it } from "@effect/vitest"
import type { Lease } from "../../src/limits/BudgetLeases.ts"
import { ClientBudgets } from "../../src/limits/ClientBudgets.ts"

const WINDOW = 60_000

const leaseOf = (client: string, lease: Partial<Lease> = {}): Lease => ({
  ...{ client, granted: 10, left: 90, endsInMillis: WINDOW },
  ...lease,
})

describe("The leased budgets of a process", () => {
  it("need a lease for less than one in fifteen requests of a large budget, and none once it is spent", () => {
    const requests = 1_000
    const budgets = new ClientBudgets({ requests, windowMillis: WINDOW })
    let left = requests
    let leases = 0
    const isAllowed = (): boolean => {
      const spending = budgets.spend("a", 1, 0)
      if (spending !== undefined) return spending.isAllowed
      const { wanted } = budgets.request("a", 1, 1, 0)
      left -= wanted
      leases++
      budgets.add(leaseOf("a", { granted: wanted, left }), 0)
      return isAllowed()
    }
    for (let sent = 0; sent < requests; sent++) assert.isTrue(isAllowed())
    assert.isBelow(leases, requests / 15)
    const before = leases
    for (let sent = 0; sent < requests; sent++) assert.isFalse(isAllowed())
    assert.strictEqual(leases, before)
  })

  it("remember so many clients and no more, and forget those first whose windows end first", () => {
    const budgets = new ClientBudgets({ requests: 100, windowMillis: WINDOW }, 50)
    for (let client = 0; client < 10_000; client++) {
      budgets.add(leaseOf(String(client)), client)
      assert.isAtMost(budgets.size, 50)
    }
    assert.isUndefined(budgets.spend("9949", 1, 10_000))
    assert.isTrue(budgets.spend("9950", 1, 10_000)?.isAllowed)
  })

  it("forget whose windows have ended as soon as another begins", () => {
    const budgets = new ClientBudgets({ requests: 100, windowMillis: WINDOW })
    for (let client = 0; client < 1_000; client++) budgets.add(leaseOf(String(client)), 0)
    budgets.add(leaseOf("another"), WINDOW)
    assert.strictEqual(budgets.size, 1)
  })

  it("do not carry what is held from one window into the next, when the next has begun on the way to the database", () => {
    const budgets = new ClientBudgets({ requests: 100, windowMillis: WINDOW })
    budgets.add(leaseOf("a", { granted: 9, left: 50, endsInMillis: 1_000 }), 0)
    budgets.add(leaseOf("a", { granted: 10, left: 90 }), 990)
    assert.strictEqual(budgets.spend("a", 1, 995)?.remaining, 99)
  })

  it("give a client the rest of its budget, and nothing after that, while no lease can be had", () => {
    const budgets = new ClientBudgets({ requests: 100, windowMillis: WINDOW })
    budgets.add(leaseOf("a"), 0)
    assert.isTrue(budgets.spend("a", 10, 0)?.isAllowed)
    assert.isUndefined(budgets.spend("a", 1, 0))
    budgets.addAlone("a", 0)
    assert.isTrue(budgets.spend("a", 90, 0)?.isAllowed)
    assert.isFalse(budgets.spend("a", 1, 0)?.isAllowed)
    budgets.addAlone("a", 0)
    assert.isFalse(budgets.spend("a", 1, 0)?.isAllowed)
    assert.isUndefined(budgets.spend("a", 1, WINDOW))
  })
})
