// Written by `npm run modules` from the folders of modules.
import { sections as usageSinks } from '../usage-sinks/options.ts'

export const moduleSections = [...usageSinks] as const
