import type { AccessOptions } from "@launch-registry/server/access/AccessOptions"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { Forbidden } from "@launch-registry/domain/http/AccessErrors"
import {
  InvalidRequest,
  UnsupportedContentEncoding,
  UnsupportedContentType,
} from "@launch-registry/domain/http/RequestErrors"
import { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { respondError } from "@launch-registry/http/answers/Respond"
import { checkContentHeaders } from "@launch-registry/http/requests/ContentHeaders"
import { crossSiteWrite } from "@launch-registry/http/requests/CrossSite"
import { readBody } from "@launch-registry/http/requests/ReadBody"
import { parseStrictJson } from "@launch-registry/http/requests/StrictJson"
import { isAddress } from "@launch-registry/domain/solana/AddressText"
import type { Address, Lamports } from "@solana/kit"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

export const FAUCET_PATH = "/console/faucet"

export const FAUCET_ROUTES = [["POST", FAUCET_PATH]] as const

const LAMPORTS = 10_000_000_000n as Lamports

const invalid = InvalidRequest.at

/** The wallet that a request names. */
const walletOf = Effect.fnUntraced(function* (writingOrigins: AccessOptions["writingOrigins"]) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const refusal = crossSiteWrite(request, writingOrigins)
  if (refusal !== undefined) return yield* refusal
  yield* checkContentHeaders(request.headers, ["application/json"])
  const bytes = yield* Effect.mapError(readBody(request), () => invalid("body", "the body could not be read"))
  const { faults, value } = parseStrictJson(new TextDecoder().decode(bytes), new Set())
  if (faults !== undefined) return yield* new InvalidRequest({ issues: faults })
  const address: unknown = (value as { readonly address?: unknown } | null)?.address
  if (typeof address !== "string" || !isAddress(address))
    return yield* invalid("body.address", "expected the address of a wallet")
  return address as Address
})

/** `POST /console/faucet` with an `address`: gives a wallet 10 SOL of the local chain in this process. */
export const faucetRoute = ({ writingOrigins }: AccessOptions) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const rpc = yield* Rpc
      yield* router.add(
        ...FAUCET_ROUTES[0],
        Effect.gen(function* () {
          const address = yield* walletOf(writingOrigins)
          const signature = yield* Effect.mapError(
            rpc.call((kit) => kit.requestAirdrop(address, LAMPORTS)),
            () => new Unavailable({ service: "chain" }),
          )
          return HttpServerResponse.jsonUnsafe({
            success: true,
            message: "The wallet has 10 SOL more",
            data: { signature },
          })
        }).pipe(
          Effect.catchTags({
            Unavailable: (error) => respondError(Unavailable.response, error),
            Forbidden: (error) => respondError(Forbidden.response, error),
            InvalidRequest: (error) => respondError(InvalidRequest.response, error),
            UnsupportedContentEncoding: (error) => respondError(UnsupportedContentEncoding.response, error),
            UnsupportedContentType: (error) => respondError(UnsupportedContentType.response, error),
          }),
        ),
      )
    }),
  )
