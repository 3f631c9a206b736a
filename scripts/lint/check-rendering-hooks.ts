import { join } from 'node:path'
import { findRenderingHooks } from './rendering-hooks.ts'

const root = join(import.meta.dirname, '../..')
const sources = /^\/(web\/src|modules\/[\w-]+\/web)\//

const found = findRenderingHooks(join(root, 'web/tsconfig.json'), root, (path) => sources.test(path.slice(root.length)))
for (const line of found) process.stderr.write(`${line}\n`)
if (found.length > 0) {
  process.stderr.write('A hook returns state and actions; move its JSX to a component beside it.\n')
  process.exitCode = 1
}
