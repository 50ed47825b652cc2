import { read, registry } from "../Registry.ts"
import { type Action, REASON } from "./Confirm.ts"

export const cordonAction = (endpoint: string): Action => ({
  title: `Cordon ${endpoint}`,
  consequence: "All replicas stop calling it within seconds, unless no other endpoint is left.",
  fields: [REASON],
  run: async (reason = "") => {
    const { message } = await read(registry.system.cordon({ endpoint, body: { reason } }))
    return message ?? `${endpoint} is cordoned`
  },
})

export const uncordonAction = (endpoint: string): Action => ({
  title: `Uncordon ${endpoint}`,
  consequence: "All replicas may call it again within seconds.",
  run: async () => {
    const { message } = await read(registry.system.uncordon({ endpoint }))
    return message ?? `${endpoint} may be called again`
  },
})
