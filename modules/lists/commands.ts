// Written by `npm run modules` from the folders of modules.
import type { ModuleCommand } from '../../server/src/app/modules/module-command.ts'
import { commands as siteFile } from '../site-file/server/commands.ts'
import { commands as siteImports } from '../site-imports/server/commands.ts'

export const moduleCommands: readonly ModuleCommand[] = [...siteFile, ...siteImports]
