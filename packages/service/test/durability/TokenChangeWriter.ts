import { Effect } from "effect"
import { registerToken, wordOf } from "./RegisterToken.ts"
import { type Desk, difference, Kept, requireSent, type Writer } from "./Writer.ts"

const CHANGES_MAX = 6

/** Changes its own tokens a few times, and deletes every third of them. */
export const tokenChangeWriter = (desk: Desk): Writer => {
  const { client, random } = desk
  const kept = new Kept(desk)

  const write = async () => {
    let token = await registerToken(desk)
    const path = `/api/tokens/${token.id}`
    let isDeleted = false
    kept.add(async () => {
      const { body, status } = await client.read(path)
      if (isDeleted) return status === 404 ? undefined : `token ${token.mintAddress} was deleted and is back`
      return difference(`changed token ${token.mintAddress}`, token, body?.data)
    })
    for (let change = random.between(1, CHANGES_MAX); change > 0; change--) {
      const sent = {
        description: wordOf(random),
        ...(random.chance(0.5) && { tags: [wordOf(random), wordOf(random)] }),
        ...(random.chance(0.3) && { active: random.chance(0.5) }),
      }
      token = (await client.write("token change", { method: "PATCH", path, json: sent })).body.data
      requireSent(sent, token)
    }
    if (!random.chance(0.3)) return
    await client.write("token deletion", {
      ...{ method: "DELETE", path },
      // The previous attempt deleted it, and its answer was lost.
      onRepeat: (answer) => (answer.body?.code === "not_found" ? Promise.resolve(answer) : undefined),
    })
    isDeleted = true
  }

  return { write, kept, audit: () => Effect.void }
}
