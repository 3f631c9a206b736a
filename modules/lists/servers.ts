// Written by `npm run modules` from the folders of modules.
import type { JoinModule } from '../../server/src/app/modules/module-kit.ts'
import { join as archive } from '../archive/server/join.ts'
import { join as corrections } from '../corrections/server/join.ts'
import { join as dualRun } from '../dual-run/server/join.ts'
import { join as inspector } from '../inspector/server/join.ts'
import { join as provisioning } from '../provisioning/server/join.ts'
import { join as reconciliation } from '../reconciliation/server/join.ts'
import { join as redemptions } from '../redemptions/server/join.ts'
import { join as siteImports } from '../site-imports/server/join.ts'
import { join as statements } from '../statements/server/join.ts'
import { join as usageSinks } from '../usage-sinks/server/join.ts'
import { join as virtualModels } from '../virtual-models/server/join.ts'

export const serverModules: readonly JoinModule[] = [archive, corrections, dualRun, inspector, provisioning, reconciliation, redemptions, siteImports, statements, usageSinks, virtualModels]
