import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { Button } from "../design/Button.tsx"
import { FAUCET } from "../registry/Connection.ts"
import { fill } from "./Faucet.ts"

/** Gives a wallet SOL, where the chain is local: nothing elsewhere. */
export const GetSol = ({ address }: { readonly address: string }) => {
  const queries = useQueryClient()
  const [said, setSaid] = useState<string>()
  if (FAUCET === undefined) return null
  const get = async () => {
    setSaid(await fill(address))
    await queries.invalidateQueries()
  }
  return (
    <>
      <Button isWide onClick={() => void get()}>
        Get 10 SOL
      </Button>
      {said !== undefined && <p role="status">{said}</p>}
    </>
  )
}
