// Written by `npm run modules` from the folders of modules.
import type { ModuleData } from '../../contract/src/modules/module-data.ts'
import { module as archive } from '../archive/module.ts'
import { module as corrections } from '../corrections/module.ts'
import { module as dualRun } from '../dual-run/module.ts'
import { module as inspector } from '../inspector/module.ts'
import { module as provisioning } from '../provisioning/module.ts'
import { module as reconciliation } from '../reconciliation/module.ts'
import { module as redemptions } from '../redemptions/module.ts'
import { module as siteFile } from '../site-file/module.ts'
import { module as siteImports } from '../site-imports/module.ts'
import { module as statements } from '../statements/module.ts'
import { module as usageSinks } from '../usage-sinks/module.ts'
import { module as virtualModels } from '../virtual-models/module.ts'

export const moduleData: Readonly<Record<string, ModuleData>> = { 'archive': archive, 'corrections': corrections, 'dual-run': dualRun, 'inspector': inspector, 'provisioning': provisioning, 'reconciliation': reconciliation, 'redemptions': redemptions, 'site-file': siteFile, 'site-imports': siteImports, 'statements': statements, 'usage-sinks': usageSinks, 'virtual-models': virtualModels }
export const moduleErrors = { ...archive.errors, ...corrections.errors, ...dualRun.errors, ...inspector.errors, ...provisioning.errors, ...reconciliation.errors, ...redemptions.errors, ...siteFile.errors, ...siteImports.errors, ...statements.errors, ...usageSinks.errors, ...virtualModels.errors }
export const moduleAreas = [...archive.areas, ...corrections.areas, ...dualRun.areas, ...inspector.areas, ...provisioning.areas, ...reconciliation.areas, ...redemptions.areas, ...siteFile.areas, ...siteImports.areas, ...statements.areas, ...usageSinks.areas, ...virtualModels.areas]
export const moduleLogEvents = { ...archive.logEvents, ...corrections.logEvents, ...dualRun.logEvents, ...inspector.logEvents, ...provisioning.logEvents, ...reconciliation.logEvents, ...redemptions.logEvents, ...siteFile.logEvents, ...siteImports.logEvents, ...statements.logEvents, ...usageSinks.logEvents, ...virtualModels.logEvents }
