// The contract as the browser sees it. `calls` and the constants come from the build (build/contract-module.ts) without
// their schemas; a screen that wants a schema imports it from '@tollgate/contract/<noun>' in its own lazy chunk.

export {
  calls,
  cancelledUsers,
  channelStatus,
  defaultPageSize,
  ledgerReasons,
  logType,
  longestNewPassword,
  neverExpires,
  pageSizes,
  quotaType,
  resendSeconds,
  role,
  thirdParties,
  tokenStatus,
  userStatus,
} from 'virtual:contract'
export type * from '@tollgate/contract'
