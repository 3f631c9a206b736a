// Written by `npm run modules` from the folders of modules.
import * as agents from '../agents/contract.ts'
import * as drawings from '../drawings/contract.ts'
import * as dualRun from '../dual-run/contract.ts'
import * as inspector from '../inspector/contract.ts'
import * as provisioning from '../provisioning/contract.ts'
import * as reconciliation from '../reconciliation/contract.ts'
import * as siteImports from '../site-imports/contract.ts'
import * as statements from '../statements/contract.ts'
import * as tasks from '../tasks/contract.ts'
import * as usageSinks from '../usage-sinks/contract.ts'

export * from '../agents/contract.ts'
export * from '../drawings/contract.ts'
export * from '../dual-run/contract.ts'
export * from '../inspector/contract.ts'
export * from '../provisioning/contract.ts'
export * from '../reconciliation/contract.ts'
export * from '../site-imports/contract.ts'
export * from '../statements/contract.ts'
export * from '../tasks/contract.ts'
export * from '../usage-sinks/contract.ts'

export const moduleContracts = [agents, drawings, dualRun, inspector, provisioning, reconciliation, siteImports, statements, tasks, usageSinks]
