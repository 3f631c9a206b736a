// Written by `npm run modules` from the folders of modules.
import type { ModuleRights } from '../../server/test/rights/module-rights.ts'
import { rights as corrections } from '../corrections/tests/rights.ts'
import { rights as dualRun } from '../dual-run/tests/rights.ts'
import { rights as inspector } from '../inspector/tests/rights.ts'
import { rights as provisioning } from '../provisioning/tests/rights.ts'
import { rights as reconciliation } from '../reconciliation/tests/rights.ts'
import { rights as redemptions } from '../redemptions/tests/rights.ts'
import { rights as siteImports } from '../site-imports/tests/rights.ts'
import { rights as statements } from '../statements/tests/rights.ts'
import { rights as usageSinks } from '../usage-sinks/tests/rights.ts'
import { rights as virtualModels } from '../virtual-models/tests/rights.ts'

export const moduleRights: readonly ModuleRights[] = [corrections, dualRun, inspector, provisioning, reconciliation, redemptions, siteImports, statements, usageSinks, virtualModels]
