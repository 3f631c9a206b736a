// Written by `npm run modules` from the folders of modules.
import * as reconciliation from '../reconciliation/contract.ts'
import * as usageSinks from '../usage-sinks/contract.ts'

export * from '../reconciliation/contract.ts'
export * from '../usage-sinks/contract.ts'

export const moduleContracts = [reconciliation, usageSinks]
