import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Cluster } from './cluster.ts'

const root = join(import.meta.dirname, '../../..')

/** Output of a version's `npm run ledger:verify` about a cluster that has stopped, cut to its end. */
export const verifyLedger = ({ environment }: Pick<Cluster, 'environment'>, program = root): string => {
  const command = join(program, 'server/src/ledger/verify/verify-command.ts')
  const { stdout, stderr } = spawnSync(process.execPath, [command], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  })
  return `${stdout}${stderr}`.trim().slice(-1000)
}
