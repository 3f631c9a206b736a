// Written by `npm run modules` from the folders of modules.
import type { JoinModule } from '../../server/src/app/modules/module-kit.ts'
import { join as agents } from '../agents/server/join.ts'
import { join as archive } from '../archive/server/join.ts'
import { join as callSessions } from '../call-sessions/server/join.ts'
import { join as drawings } from '../drawings/server/join.ts'
import { join as dualRun } from '../dual-run/server/join.ts'
import { join as explore } from '../explore/server/join.ts'
import { join as inspector } from '../inspector/server/join.ts'
import { join as live } from '../live/server/join.ts'
import { join as provisioning } from '../provisioning/server/join.ts'
import { join as reconciliation } from '../reconciliation/server/join.ts'
import { join as siteImports } from '../site-imports/server/join.ts'
import { join as statements } from '../statements/server/join.ts'
import { join as tasks } from '../tasks/server/join.ts'
import { join as usageSinks } from '../usage-sinks/server/join.ts'

export const serverModules: readonly JoinModule[] = [agents, archive, callSessions, drawings, dualRun, explore, inspector, live, provisioning, reconciliation, siteImports, statements, tasks, usageSinks]
