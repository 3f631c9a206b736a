// Written by `npm run modules` from the folders of modules.
import type { ModuleData } from '../../contract/src/modules/module-data.ts'
import { module as reconciliation } from '../reconciliation/module.ts'
import { module as siteFile } from '../site-file/module.ts'
import { module as siteImports } from '../site-imports/module.ts'

export const moduleData: Readonly<Record<string, ModuleData>> = { 'reconciliation': reconciliation, 'site-file': siteFile, 'site-imports': siteImports }
export const moduleErrors = { ...reconciliation.errors, ...siteFile.errors, ...siteImports.errors }
export const moduleAreas = [...reconciliation.areas, ...siteFile.areas, ...siteImports.areas]
export const moduleLogEvents = { ...reconciliation.logEvents, ...siteFile.logEvents, ...siteImports.logEvents }
