/** Names of the errors of the cp-amm program in their order, from its IDL; the first one has code 6000. */
export const DAMM_ERRORS: ReadonlyArray<string> = [
  ...["MathOverflow", "InvalidFee", "ExceededSlippage", "PoolDisabled"],
  ...["ExceedMaxFeeBps", "InvalidAdmin", "AmountIsZero", "TypeCastFailed"],
  ...[
    "UnableToModifyActivationPoint",
    "InvalidAuthorityToCreateThePool",
    "InvalidActivationType",
    "InvalidActivationPoint",
  ],
  ...["InvalidQuoteMint", "InvalidFeeCurve", "InvalidPriceRange", "PriceRangeViolation"],
  ...["InvalidParameters", "InvalidCollectFeeMode", "InvalidInput", "CannotCreateTokenBadgeOnSupportedMint"],
  ...["InvalidTokenBadge", "InvalidMinimumLiquidity", "InvalidVestingInfo", "InsufficientLiquidity"],
  ...["InvalidVestingAccount", "InvalidPoolStatus", "UnsupportNativeMintToken2022", "InvalidRewardIndex"],
  ...["InvalidRewardDuration", "RewardInitialized", "RewardUninitialized", "InvalidRewardVault"],
  ...["MustWithdrawnIneligibleReward", "IdenticalRewardDuration", "RewardCampaignInProgress", "IdenticalFunder"],
  ...["InvalidFunder", "RewardNotEnded", "FeeInverseIsIncorrect", "PositionIsNotEmpty"],
  ...["InvalidPoolCreatorAuthority", "InvalidConfigType", "InvalidPoolCreator", "RewardVaultFrozenSkipRequired"],
  ...["InvalidSplitPositionParameters", "UnsupportPositionHasVestingLock", "SamePosition", "InvalidBaseFeeMode"],
  ...["InvalidFeeRateLimiter", "FailToValidateSingleSwapInstruction", "InvalidFeeTimeScheduler", "UndeterminedError"],
  ...["InvalidPoolVersion", "InvalidAuthority", "InvalidPermission", "InvalidFeeMarketCapScheduler"],
  ...[
    "CannotUpdateBaseFee",
    "InvalidDynamicFeeParameters",
    "InvalidUpdatePoolFeesParameters",
    "MissingOperatorAccount",
  ],
  ...["IncorrectATA", "InvalidZapOutParameters", "InvalidWithdrawProtocolFeeZapAccounts", "MintRestrictedFromZap"],
  ...["CpiDisabled", "MissingZapOutInstruction", "InvalidZapAccounts", "InvalidCompoundingFeeBps"],
  ...[
    "InvalidClaimProtocolFeeAccounts",
    "TransferFeeExcludedAmountIsZero",
    "DelegatedAmountNonZero",
    "DeprecatedBaseFeeMode",
  ],
  ...["InvalidConfigPermission"],
]

export const DAMM_ERRORS_FROM = 6_000

/** Those that callers meet; all others are their name in words. */
export const DAMM_SENTENCES: Readonly<Record<string, string>> = {
  MathOverflow: "an amount is too large to compute with",
  ExceededSlippage: "the price has moved: the swap would give less than the minimum",
  PoolDisabled: "the pool takes no swaps or liquidity at the moment",
  AmountIsZero: "the amount is zero, or too small to give anything",
  PriceRangeViolation: "the swap would leave the price range of the pool",
  InsufficientLiquidity: "the pool holds too little liquidity for the swap",
  InvalidPoolStatus: "the pool is in a state that does not allow this",
  FailToValidateSingleSwapInstruction: "with a rate limiter a transaction may swap in the pool only once",
  InvalidAuthority: "the signer may not do this",
  IncorrectATA: "an account is not the associated token account",
  CpiDisabled: "the program may not be called by another program here",
  TransferFeeExcludedAmountIsZero: "nothing is left of the amount after the transfer fee",
  UnsupportPositionHasVestingLock: "the position is locked by a vesting schedule",
  PositionIsNotEmpty: "the position still holds liquidity, fees or rewards",
  MustWithdrawnIneligibleReward: "rewards that nobody is eligible for must be withdrawn first",
  RewardVaultFrozenSkipRequired: "the vault of the reward is frozen: the reward must be skipped",
}
