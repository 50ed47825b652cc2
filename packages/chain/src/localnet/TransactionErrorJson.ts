/** Names of errors without further facts, in the order in which LiteSVM (and Solana's SDK) numbers them. */
const TRANSACTION_ERRORS = `
  AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound
  InsufficientFundsForFee InvalidAccountForFee AlreadyProcessed BlockhashNotFound
  CallChainTooDeep MissingSignatureForFee InvalidAccountIndex SignatureFailure
  InvalidProgramForExecution SanitizeFailure ClusterMaintenance AccountBorrowOutstanding
  WouldExceedMaxBlockCostLimit UnsupportedVersion InvalidWritableAccount WouldExceedMaxAccountCostLimit
  WouldExceedAccountDataBlockLimit TooManyAccountLocks AddressLookupTableNotFound InvalidAddressLookupTableOwner
  InvalidAddressLookupTableData InvalidAddressLookupTableIndex InvalidRentPayingAccount WouldExceedMaxVoteCostLimit
  WouldExceedAccountDataTotalLimit MaxLoadedAccountsDataSizeExceeded ResanitizationNeeded InvalidLoadedAccountsDataSizeLimit
  UnbalancedTransaction ProgramCacheHitMaxLimit CommitCancelled
`
  .trim()
  .split(/\s+/)

const INSTRUCTION_ERRORS = `
  GenericError InvalidArgument InvalidInstructionData InvalidAccountData
  AccountDataTooSmall InsufficientFunds IncorrectProgramId MissingRequiredSignature
  AccountAlreadyInitialized UninitializedAccount UnbalancedInstruction ModifiedProgramId
  ExternalAccountLamportSpend ExternalAccountDataModified ReadonlyLamportChange ReadonlyDataModified
  DuplicateAccountIndex ExecutableModified RentEpochModified NotEnoughAccountKeys
  AccountDataSizeChanged AccountNotExecutable AccountBorrowFailed AccountBorrowOutstanding
  DuplicateAccountOutOfSync InvalidError ExecutableDataModified ExecutableLamportChange
  ExecutableAccountNotRentExempt UnsupportedProgramId CallDepth MissingAccount
  ReentrancyNotAllowed MaxSeedLengthExceeded InvalidSeeds InvalidRealloc
  ComputationalBudgetExceeded PrivilegeEscalation ProgramEnvironmentSetupFailure ProgramFailedToComplete
  ProgramFailedToCompile Immutable IncorrectAuthority AccountNotRentExempt
  InvalidAccountOwner ArithmeticOverflow UnsupportedSysvar IllegalOwner
  MaxAccountsDataAllocationsExceeded MaxAccountsExceeded MaxInstructionTraceLengthExceeded BuiltinProgramsMustConsumeComputeUnits
  BorshIoError
`
  .trim()
  .split(/\s+/)

/** A LiteSVM error in the JSON form of Solana's RPC, such as `{InstructionError: [2, {Custom: 6002}]}`. */
export const errorJson = (error: unknown): unknown => {
  if (typeof error === "number") return TRANSACTION_ERRORS[error] ?? "Unknown"
  if (typeof error !== "object" || error === null) return "Unknown"
  if ("err" in error && "index" in error) {
    const { err, index } = error as { readonly err: () => unknown; readonly index: number }
    return { InstructionError: [index, instructionErrorJson(err.call(error))] }
  }
  const name = error.constructor.name.replace(/^TransactionError/, "")
  return "accountIndex" in error ? { [name]: { account_index: error.accountIndex } } : name
}

const instructionErrorJson = (error: unknown): unknown => {
  if (typeof error === "number") return INSTRUCTION_ERRORS[error] ?? "Unknown"
  if (typeof error === "object" && error !== null && "code" in error) return { Custom: Number(error.code) }
  return "Unknown"
}
