// The contract as the browser sees it. `calls` and the constants come from the build (build/contract-module.ts) without
// their schemas; a screen that wants a schema imports it from '@tollgate/contract/<noun>' in its own lazy chunk.

export {
  callbackOutcomes,
  calls,
  cancelledUsers,
  channelStatus,
  defaultPageSize,
  ledgerReasons,
  logType,
  longestNewPassword,
  longestRedemptionName,
  mostRedemptions,
  neverExpires,
  orderStates,
  pageSizes,
  paymentMethods,
  quotaType,
  redemptionExpired,
  redemptionStatus,
  resendSeconds,
  role,
  thirdParties,
  tokenStatus,
  userStatus,
} from 'virtual:contract'
export type * from '@tollgate/contract'
