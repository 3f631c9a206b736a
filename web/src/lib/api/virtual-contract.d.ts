declare module 'virtual:contract' {
  import type { Endpoint, Method } from '@tollgate/contract'

  type Contract = typeof import('@tollgate/contract')

  /** An endpoint's address; `Of` remembers the contract's entry for the types only. */
  export interface Callable<Of = unknown> {
    readonly method: Method
    readonly path: string
    readonly '~entry'?: Of
  }

  export const calls: {
    readonly [K in keyof Contract as Contract[K] extends Endpoint ? K : never]: Callable<Contract[K]>
  }

  // Add a line when a screen needs another constant of the contract.
  export {
    anyProvisional,
    attentionReasons,
    callbackOutcomes,
    callLists,
    cancelledUsers,
    channelJobNames,
    channelStatus,
    channelTestLabel,
    codeProviders,
    declaredPieces,
    granularities,
    healthKinds,
    invitationDays,
    leastColumnWidth,
    ledgerReasons,
    logEnds,
    logType,
    longestModelTag,
    longestModelText,
    longestOrganisationName,
    modelAbilities,
    modelInputs,
    modelKinds,
    moduleFlags,
    mostColumnWidth,
    mostListedCalls,
    mostModelTags,
    mostRunAtOnce,
    mostTags,
    neverExpires,
    orderStates,
    ownUsageDimensions,
    ownUsageMetrics,
    pageSizes,
    quotaType,
    refusedContent,
    resendSeconds,
    role,
    shownPageSize,
    thirdParties,
    tokenStatus,
    tokenUsageDays,
    usageDimensions,
    usageMetrics,
    userStatus,
  } from '@tollgate/contract'
}
