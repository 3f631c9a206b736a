// Written by `npm run modules` from the folders of modules.
import * as corrections from '../corrections/contract.ts'
import * as dualRun from '../dual-run/contract.ts'
import * as inspector from '../inspector/contract.ts'
import * as provisioning from '../provisioning/contract.ts'
import * as reconciliation from '../reconciliation/contract.ts'
import * as redemptions from '../redemptions/contract.ts'
import * as siteImports from '../site-imports/contract.ts'
import * as statements from '../statements/contract.ts'
import * as usageSinks from '../usage-sinks/contract.ts'
import * as virtualModels from '../virtual-models/contract.ts'

export * from '../corrections/contract.ts'
export * from '../dual-run/contract.ts'
export * from '../inspector/contract.ts'
export * from '../provisioning/contract.ts'
export * from '../reconciliation/contract.ts'
export * from '../redemptions/contract.ts'
export * from '../site-imports/contract.ts'
export * from '../statements/contract.ts'
export * from '../usage-sinks/contract.ts'
export * from '../virtual-models/contract.ts'

export const moduleContracts = [corrections, dualRun, inspector, provisioning, reconciliation, redemptions, siteImports, statements, usageSinks, virtualModels]
