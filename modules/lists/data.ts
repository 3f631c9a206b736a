// Written by `npm run modules` from the folders of modules.
import { module as reconciliation } from '../reconciliation/module.ts'

export const moduleData = { 'reconciliation': reconciliation }
export const moduleErrors = { ...reconciliation.errors }
export const moduleAreas = [...reconciliation.areas]
export const moduleLogEvents = { ...reconciliation.logEvents }
