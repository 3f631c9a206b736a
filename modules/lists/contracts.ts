// Written by `npm run modules` from the folders of modules.
import * as reconciliation from '../reconciliation/contract.ts'

export * from '../reconciliation/contract.ts'

export const moduleContracts = [reconciliation]
