import type { ChildProcess, Serializable } from "node:child_process"

/** The next message of a process; it fails when the process ends first. */
export const answerOf = <A>(child: ChildProcess): Promise<A> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`${child.spawnargs.join(" ")} ended with ${code}`))
    child.once("exit", ended)
    child.once("message", (message) => {
      child.off("exit", ended)
      resolve(message as A)
    })
  })

/** The reply of a process to a message. */
export const ask = <A>(child: ChildProcess, message: Serializable): Promise<A> => {
  const answer = answerOf<A>(child)
  child.send(message)
  return answer
}
