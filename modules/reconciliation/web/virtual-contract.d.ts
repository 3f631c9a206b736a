/** Constants of the module's contract that its screens use. */
declare module 'virtual:contract' {
  export { mostReportMegabytes, reportApis, reportFields, reportFiles } from '@tollgate/contract'
}
