// Written by `npm run modules` from the folders of modules.
import * as reconciliation from '../reconciliation/contract.ts'
import * as siteImports from '../site-imports/contract.ts'

export * from '../reconciliation/contract.ts'
export * from '../site-imports/contract.ts'

export const moduleContracts = [reconciliation, siteImports]
