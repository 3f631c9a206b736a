/** Constants of the module's contract that its screens use. */
declare module 'virtual:contract' {
  export { backgroundStates } from '@tollgate/contract'
}
