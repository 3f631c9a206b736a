/** Constants of the module's contract that its screens use. */
declare module 'virtual:contract' {
  export { longestRedemptionName, mostRedemptions, redemptionExpired, redemptionStatus } from '@tollgate/contract'
}
