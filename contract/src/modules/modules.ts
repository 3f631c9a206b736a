/** The data of all modules: the one place of the contract that imports them. The lists are written by `npm run modules`. */
import { moduleData } from '../../../modules/lists/data.ts'
import type { ModuleData } from './module-data.ts'

export { moduleAreas, moduleErrors, moduleLogEvents } from '../../../modules/lists/data.ts'

const all: readonly ModuleData[] = Object.values(moduleData)

export const moduleOwnAreas = all.flatMap(({ ownAreas = [] }) => ownAreas)
export const moduleSignInMethods = all.flatMap(({ signInMethods = [] }) => signInMethods)
export const moduleOpenTables = all.flatMap(({ openTables = [] }) => openTables)
export const moduleVariables = all.flatMap(({ variables = [] }) => variables)
export const moduleSmallTables = all.flatMap(({ smallTables = [] }) => smallTables)
