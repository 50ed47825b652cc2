import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { ChainUnavailable } from "@launch-registry/domain/launch/LaunchErrors"
import { respondError } from "@launch-registry/http/answers/Respond"
import { isAddress } from "@launch-registry/solana/AddressText"
import type { Address, Lamports } from "@solana/kit"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"

/** Below it, the address of a wallet. */
export const FAUCET_PATH = "/console/faucet"

export const FAUCET_ROUTES = [["POST", `${FAUCET_PATH}/:address`]] as const

const LAMPORTS = 10_000_000_000n as Lamports

const NO_ADDRESS = new InvalidRequest({ issues: [{ path: "address", message: "expected the address of a wallet" }] })

/** `POST /console/faucet/:address`: gives a wallet 10 SOL of the local chain in this process. */
export const faucetRoute = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const rpc = yield* Rpc
    yield* router.add(
      ...FAUCET_ROUTES[0],
      Effect.gen(function* () {
        const { address = "" } = yield* HttpRouter.params
        if (!isAddress(address)) return yield* respondError(InvalidRequest.response, NO_ADDRESS)
        return yield* rpc
          .call((kit) => kit.requestAirdrop(address as Address, LAMPORTS))
          .pipe(
            Effect.map((signature) =>
              HttpServerResponse.jsonUnsafe({
                success: true,
                message: "The wallet has 10 SOL more",
                data: { signature },
              }),
            ),
            Effect.catch(() => respondError(ChainUnavailable.response, new ChainUnavailable())),
          )
      }),
    )
  }),
)
