// Written by `npm run modules` from the folders of modules.
import type { ModuleData } from '../../contract/src/modules/module-data.ts'
import { module as reconciliation } from '../reconciliation/module.ts'
import { module as usageSinks } from '../usage-sinks/module.ts'

export const moduleData: Readonly<Record<string, ModuleData>> = { 'reconciliation': reconciliation, 'usage-sinks': usageSinks }
export const moduleErrors = { ...reconciliation.errors, ...usageSinks.errors }
export const moduleAreas = [...reconciliation.areas, ...usageSinks.areas]
export const moduleLogEvents = { ...reconciliation.logEvents, ...usageSinks.logEvents }
