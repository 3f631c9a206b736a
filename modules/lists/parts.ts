// Written by `npm run modules` from the folders of modules.
import { parts as callSessions } from '../call-sessions/web/parts.ts'
import { parts as changes } from '../changes/web/parts.ts'
import { parts as deadlines } from '../deadlines/web/parts.ts'
import { parts as dualRun } from '../dual-run/web/parts.ts'
import { parts as inspector } from '../inspector/web/parts.ts'
import { parts as redemptions } from '../redemptions/web/parts.ts'
import { parts as refusedRecords } from '../refused-records/web/parts.ts'
import { parts as releases } from '../releases/web/parts.ts'
import { parts as usageSinks } from '../usage-sinks/web/parts.ts'
import { parts as userNotes } from '../user-notes/web/parts.ts'
import { parts as webhooks } from '../webhooks/web/parts.ts'

export const moduleParts = [...callSessions, ...changes, ...deadlines, ...dualRun, ...inspector, ...redemptions, ...refusedRecords, ...releases, ...usageSinks, ...userNotes, ...webhooks] as const
