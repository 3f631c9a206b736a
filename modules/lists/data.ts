// Written by `npm run modules` from the folders of modules.
import type { ModuleData } from '../../contract/src/modules/module-data.ts'
import { module as agents } from '../agents/module.ts'
import { module as archive } from '../archive/module.ts'
import { module as drawings } from '../drawings/module.ts'
import { module as dualRun } from '../dual-run/module.ts'
import { module as inspector } from '../inspector/module.ts'
import { module as provisioning } from '../provisioning/module.ts'
import { module as reconciliation } from '../reconciliation/module.ts'
import { module as releases } from '../releases/module.ts'
import { module as siteFile } from '../site-file/module.ts'
import { module as siteImports } from '../site-imports/module.ts'
import { module as statements } from '../statements/module.ts'
import { module as tasks } from '../tasks/module.ts'
import { module as usageSinks } from '../usage-sinks/module.ts'

export const moduleData: Readonly<Record<string, ModuleData>> = { 'agents': agents, 'archive': archive, 'drawings': drawings, 'dual-run': dualRun, 'inspector': inspector, 'provisioning': provisioning, 'reconciliation': reconciliation, 'releases': releases, 'site-file': siteFile, 'site-imports': siteImports, 'statements': statements, 'tasks': tasks, 'usage-sinks': usageSinks }
export const moduleErrors = { ...agents.errors, ...archive.errors, ...drawings.errors, ...dualRun.errors, ...inspector.errors, ...provisioning.errors, ...reconciliation.errors, ...releases.errors, ...siteFile.errors, ...siteImports.errors, ...statements.errors, ...tasks.errors, ...usageSinks.errors }
export const moduleAreas = [...agents.areas, ...archive.areas, ...drawings.areas, ...dualRun.areas, ...inspector.areas, ...provisioning.areas, ...reconciliation.areas, ...releases.areas, ...siteFile.areas, ...siteImports.areas, ...statements.areas, ...tasks.areas, ...usageSinks.areas]
export const moduleLogEvents = { ...agents.logEvents, ...archive.logEvents, ...drawings.logEvents, ...dualRun.logEvents, ...inspector.logEvents, ...provisioning.logEvents, ...reconciliation.logEvents, ...releases.logEvents, ...siteFile.logEvents, ...siteImports.logEvents, ...statements.logEvents, ...tasks.logEvents, ...usageSinks.logEvents }
