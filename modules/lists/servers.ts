// Written by `npm run modules` from the folders of modules.
import type { JoinModule } from '../../server/src/app/modules/module-kit.ts'
import { join as agents } from '../agents/server/join.ts'
import { join as archive } from '../archive/server/join.ts'
import { join as drawings } from '../drawings/server/join.ts'
import { join as dualRun } from '../dual-run/server/join.ts'
import { join as inspector } from '../inspector/server/join.ts'
import { join as provisioning } from '../provisioning/server/join.ts'
import { join as reconciliation } from '../reconciliation/server/join.ts'
import { join as releases } from '../releases/server/join.ts'
import { join as siteImports } from '../site-imports/server/join.ts'
import { join as statements } from '../statements/server/join.ts'
import { join as tasks } from '../tasks/server/join.ts'
import { join as usageSinks } from '../usage-sinks/server/join.ts'

export const serverModules: readonly JoinModule[] = [agents, archive, drawings, dualRun, inspector, provisioning, reconciliation, releases, siteImports, statements, tasks, usageSinks]
