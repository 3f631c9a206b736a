import type { Database } from '../../../src/db/database.ts'
import { type OptionParts, type Options, openOptions } from '../../../src/features/options/options.ts'
import type { RankedActor } from '../../../src/http/actor.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { openBus } from '../../../src/lib/redis/bus.ts'
import { openSecrets } from '../../../src/lib/security/secrets.ts'

export const root: RankedActor = { id: 1, username: 'root', role: 100, ip: '127.0.0.1' }
export const admin: RankedActor = { id: 2, username: 'admin', role: 10, ip: '127.0.0.1' }

const testSecrets = openSecrets({ cryptoSecret: 'a secret for tests', keyFile: 'unused' })

const hour = 3_600_000

/** Options on a database, alone on their node unless `parts` says otherwise. */
export const openTestOptions = (database: Database, parts: Partial<OptionParts> = {}): Promise<Options> =>
  openOptions({
    database,
    secrets: testSecrets,
    bus: openBus({ nodeName: 'test', log: silentLog }),
    log: silentLog,
    syncFrequencyMs: hour,
    audit: async () => {},
    ...parts,
  })
