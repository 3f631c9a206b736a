// Written by `npm run modules` from the folders of modules.
import type { ModuleData } from '../../contract/src/modules/module-data.ts'
import { module as reconciliation } from '../reconciliation/module.ts'

export const moduleData: Readonly<Record<string, ModuleData>> = { 'reconciliation': reconciliation }
export const moduleErrors = { ...reconciliation.errors }
export const moduleAreas = [...reconciliation.areas]
export const moduleLogEvents = { ...reconciliation.logEvents }
