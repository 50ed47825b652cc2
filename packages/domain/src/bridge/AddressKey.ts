const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/

/**
 * What an address is looked up by: the case of an EVM address is a checksum, that of every other one may be part of it.
 * The columns `deposit_key` and `user_key` are made by the same rule, and BRIDGE records have users in this form.
 */
export const addressKey = (address: string): string => (EVM_ADDRESS.test(address) ? address.toLowerCase() : address)
