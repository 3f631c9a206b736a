// Written by `npm run modules` from the folders of modules.
import type { ModuleData } from '../../contract/src/modules/module-data.ts'
import { module as archive } from '../archive/module.ts'
import { module as callSessions } from '../call-sessions/module.ts'
import { module as dualRun } from '../dual-run/module.ts'
import { module as explore } from '../explore/module.ts'
import { module as inspector } from '../inspector/module.ts'
import { module as live } from '../live/module.ts'
import { module as provisioning } from '../provisioning/module.ts'
import { module as reconciliation } from '../reconciliation/module.ts'
import { module as siteFile } from '../site-file/module.ts'
import { module as siteImports } from '../site-imports/module.ts'
import { module as statements } from '../statements/module.ts'
import { module as usageSinks } from '../usage-sinks/module.ts'

export const moduleData: Readonly<Record<string, ModuleData>> = { 'archive': archive, 'call-sessions': callSessions, 'dual-run': dualRun, 'explore': explore, 'inspector': inspector, 'live': live, 'provisioning': provisioning, 'reconciliation': reconciliation, 'site-file': siteFile, 'site-imports': siteImports, 'statements': statements, 'usage-sinks': usageSinks }
export const moduleErrors = { ...archive.errors, ...callSessions.errors, ...dualRun.errors, ...explore.errors, ...inspector.errors, ...live.errors, ...provisioning.errors, ...reconciliation.errors, ...siteFile.errors, ...siteImports.errors, ...statements.errors, ...usageSinks.errors }
export const moduleAreas = [...archive.areas, ...callSessions.areas, ...dualRun.areas, ...explore.areas, ...inspector.areas, ...live.areas, ...provisioning.areas, ...reconciliation.areas, ...siteFile.areas, ...siteImports.areas, ...statements.areas, ...usageSinks.areas]
export const moduleLogEvents = { ...archive.logEvents, ...callSessions.logEvents, ...dualRun.logEvents, ...explore.logEvents, ...inspector.logEvents, ...live.logEvents, ...provisioning.logEvents, ...reconciliation.logEvents, ...siteFile.logEvents, ...siteImports.logEvents, ...statements.logEvents, ...usageSinks.logEvents }
