// Written by `npm run modules` from the folders of modules.
import { sections as archive } from '../archive/options.ts'
import { sections as batches } from '../batches/options.ts'
import { sections as drawings } from '../drawings/options.ts'
import { sections as dualRun } from '../dual-run/options.ts'
import { sections as inspector } from '../inspector/options.ts'
import { sections as releases } from '../releases/options.ts'
import { sections as tasks } from '../tasks/options.ts'
import { sections as today } from '../today/options.ts'
import { sections as usageSinks } from '../usage-sinks/options.ts'

export const moduleSections = [...archive, ...batches, ...drawings, ...dualRun, ...inspector, ...releases, ...tasks, ...today, ...usageSinks] as const
