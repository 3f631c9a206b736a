// Written by `npm run modules` from the folders of modules.
import type { ModuleRights } from '../../server/test/rights/module-rights.ts'
import { rights as agents } from '../agents/tests/rights.ts'
import { rights as drawings } from '../drawings/tests/rights.ts'
import { rights as dualRun } from '../dual-run/tests/rights.ts'
import { rights as inspector } from '../inspector/tests/rights.ts'
import { rights as provisioning } from '../provisioning/tests/rights.ts'
import { rights as reconciliation } from '../reconciliation/tests/rights.ts'
import { rights as releases } from '../releases/tests/rights.ts'
import { rights as siteImports } from '../site-imports/tests/rights.ts'
import { rights as statements } from '../statements/tests/rights.ts'
import { rights as tasks } from '../tasks/tests/rights.ts'
import { rights as usageSinks } from '../usage-sinks/tests/rights.ts'

export const moduleRights: readonly ModuleRights[] = [agents, drawings, dualRun, inspector, provisioning, reconciliation, releases, siteImports, statements, tasks, usageSinks]
