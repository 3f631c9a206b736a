import { join } from 'node:path'
import { findOutsideLookups } from './outside-words.ts'

const root = join(import.meta.dirname, '../..')

/** Sources of the server and the contract; tests and benchmarks look up what they wrote themselves. */
const isChecked = (path: string): boolean =>
  /\/(server|contract)\/src\//.test(path.slice(root.length)) &&
  !/\.test\.ts$|\/(testing|test)-[^/]+$|own-member\.ts$/.test(path)

const found = findOutsideLookups(join(root, 'server/tsconfig.json'), root, isChecked)
for (const line of found) process.stderr.write(`${line}\n`)
if (found.length > 0) {
  process.stderr.write('Look up words with a Map, ownMember or Object.hasOwn: objects also have what they inherit.\n')
  process.exitCode = 1
}
