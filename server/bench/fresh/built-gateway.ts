import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSite } from '../operator.ts'
import { startProgram } from '../processes.ts'
import { type GatewaySide, rootPassword } from '../side.ts'
import type { BuiltTree } from './built-beside.ts'

/** As `npm start` runs it: the bundle, or the sources of a version without one. */
const programOf = ({ root }: BuiltTree): string => {
  const built = join(root, 'server/dist/start.js')
  return existsSync(built) ? built : join(root, 'server/src/main.ts')
}

/** A new process of a built tree on an empty database. */
export const startBuilt = async (tree: BuiltTree, port: number, upstreamPort: number): Promise<GatewaySide> => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  const { process, startMs } = await startProgram(programOf(tree), port, {
    // The program would replace itself for these settings, and lose the channel over which it is measured.
    TOLLGATE_MEMORY_SET: '1',
    NODE_COMPILE_CACHE: join(tree.root, 'node_modules/.cache/compile-bench'),
    DATA_DIR: directory,
    INITIAL_ROOT_PASSWORD: rootPassword,
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
  })
  return {
    name: tree.name,
    process,
    key: await openSite(port, upstreamPort, rootPassword),
    startMs,
    databasePath: join(directory, 'tollgate.db'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}
