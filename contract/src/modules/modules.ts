/** The data of all modules: the one place of the contract that imports them. The lists are written by `npm run modules`. */
export { moduleAreas, moduleErrors, moduleLogEvents } from '../../../modules/lists/data.ts'
