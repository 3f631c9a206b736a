/** Constants of the contract that only the module's screens use. */
declare module 'virtual:contract' {
  export { missCauses, sessionMoves, sessionRunsFor } from '@tollgate/contract'
}
