// Written by `npm run modules` from the folders of modules.
import type { ModuleData } from '../../contract/src/modules/module-data.ts'
import { module as agents } from '../agents/module.ts'
import { module as archive } from '../archive/module.ts'
import { module as background } from '../background/module.ts'
import { module as callSessions } from '../call-sessions/module.ts'
import { module as changes } from '../changes/module.ts'
import { module as chatLinks } from '../chat-links/module.ts'
import { module as corrections } from '../corrections/module.ts'
import { module as drawings } from '../drawings/module.ts'
import { module as dualRun } from '../dual-run/module.ts'
import { module as explore } from '../explore/module.ts'
import { module as inspector } from '../inspector/module.ts'
import { module as live } from '../live/module.ts'
import { module as passkeys } from '../passkeys/module.ts'
import { module as provisioning } from '../provisioning/module.ts'
import { module as reconciliation } from '../reconciliation/module.ts'
import { module as redemptions } from '../redemptions/module.ts'
import { module as refusedRecords } from '../refused-records/module.ts'
import { module as releases } from '../releases/module.ts'
import { module as siteFile } from '../site-file/module.ts'
import { module as siteImports } from '../site-imports/module.ts'
import { module as statements } from '../statements/module.ts'
import { module as tasks } from '../tasks/module.ts'
import { module as today } from '../today/module.ts'
import { module as usageSinks } from '../usage-sinks/module.ts'
import { module as userNotes } from '../user-notes/module.ts'
import { module as videos } from '../videos/module.ts'
import { module as virtualModels } from '../virtual-models/module.ts'

export const moduleData: Readonly<Record<string, ModuleData>> = { 'agents': agents, 'archive': archive, 'background': background, 'call-sessions': callSessions, 'changes': changes, 'chat-links': chatLinks, 'corrections': corrections, 'drawings': drawings, 'dual-run': dualRun, 'explore': explore, 'inspector': inspector, 'live': live, 'passkeys': passkeys, 'provisioning': provisioning, 'reconciliation': reconciliation, 'redemptions': redemptions, 'refused-records': refusedRecords, 'releases': releases, 'site-file': siteFile, 'site-imports': siteImports, 'statements': statements, 'tasks': tasks, 'today': today, 'usage-sinks': usageSinks, 'user-notes': userNotes, 'videos': videos, 'virtual-models': virtualModels }
export const moduleErrors = { ...agents.errors, ...archive.errors, ...background.errors, ...callSessions.errors, ...changes.errors, ...chatLinks.errors, ...corrections.errors, ...drawings.errors, ...dualRun.errors, ...explore.errors, ...inspector.errors, ...live.errors, ...passkeys.errors, ...provisioning.errors, ...reconciliation.errors, ...redemptions.errors, ...refusedRecords.errors, ...releases.errors, ...siteFile.errors, ...siteImports.errors, ...statements.errors, ...tasks.errors, ...today.errors, ...usageSinks.errors, ...userNotes.errors, ...videos.errors, ...virtualModels.errors }
export const moduleAreas = [...agents.areas, ...archive.areas, ...background.areas, ...callSessions.areas, ...changes.areas, ...chatLinks.areas, ...corrections.areas, ...drawings.areas, ...dualRun.areas, ...explore.areas, ...inspector.areas, ...live.areas, ...passkeys.areas, ...provisioning.areas, ...reconciliation.areas, ...redemptions.areas, ...refusedRecords.areas, ...releases.areas, ...siteFile.areas, ...siteImports.areas, ...statements.areas, ...tasks.areas, ...today.areas, ...usageSinks.areas, ...userNotes.areas, ...videos.areas, ...virtualModels.areas]
export const moduleLogEvents = { ...agents.logEvents, ...archive.logEvents, ...background.logEvents, ...callSessions.logEvents, ...changes.logEvents, ...chatLinks.logEvents, ...corrections.logEvents, ...drawings.logEvents, ...dualRun.logEvents, ...explore.logEvents, ...inspector.logEvents, ...live.logEvents, ...passkeys.logEvents, ...provisioning.logEvents, ...reconciliation.logEvents, ...redemptions.logEvents, ...refusedRecords.logEvents, ...releases.logEvents, ...siteFile.logEvents, ...siteImports.logEvents, ...statements.logEvents, ...tasks.logEvents, ...today.logEvents, ...usageSinks.logEvents, ...userNotes.logEvents, ...videos.logEvents, ...virtualModels.logEvents }
