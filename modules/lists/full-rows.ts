// Written by `npm run modules` from the folders of modules.
import { rows as archive } from '../archive/tests/full-rows.ts'
import { rows as background } from '../background/tests/full-rows.ts'
import { rows as batches } from '../batches/tests/full-rows.ts'
import { rows as corrections } from '../corrections/tests/full-rows.ts'
import { rows as dualRun } from '../dual-run/tests/full-rows.ts'
import { rows as explore } from '../explore/tests/full-rows.ts'
import { rows as inspector } from '../inspector/tests/full-rows.ts'
import { rows as passkeys } from '../passkeys/tests/full-rows.ts'
import { rows as provisioning } from '../provisioning/tests/full-rows.ts'
import { rows as reconciliation } from '../reconciliation/tests/full-rows.ts'
import { rows as siteImports } from '../site-imports/tests/full-rows.ts'
import { rows as today } from '../today/tests/full-rows.ts'
import { rows as usageSinks } from '../usage-sinks/tests/full-rows.ts'
import { rows as userNotes } from '../user-notes/tests/full-rows.ts'
import { rows as videos } from '../videos/tests/full-rows.ts'
import { rows as webhooks } from '../webhooks/tests/full-rows.ts'

export const moduleRows = { ...archive, ...background, ...batches, ...corrections, ...dualRun, ...explore, ...inspector, ...passkeys, ...provisioning, ...reconciliation, ...siteImports, ...today, ...usageSinks, ...userNotes, ...videos, ...webhooks }
