import type { IndexedAuthorities } from "@launch-registry/domain/trust/TokenTrust"

/** Options of `token_update_authority`: those above the last one keep the mint authority (DBC IDL 0.2.1). */
const [NO_ONE, NOT_MINTABLE_MAX] = [1, 2]

/** Who can change a launched token, by the option of its configuration and by what was read of its metadata; null is not known. */
export const indexedAuthorities = (
  tokenUpdateAuthority: number | null,
  isFinal: boolean | null,
): IndexedAuthorities => ({
  configTokenUpdateAuthority: tokenUpdateAuthority,
  mintAuthorityDisabled: tokenUpdateAuthority === null ? null : tokenUpdateAuthority <= NOT_MINTABLE_MAX,
  freezeAuthorityDisabled: true,
  isMutable: isFinal === null ? (tokenUpdateAuthority === NO_ONE ? false : null) : !isFinal,
})
