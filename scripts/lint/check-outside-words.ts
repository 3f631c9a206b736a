import { join } from 'node:path'
import { findOutsideLookups } from './outside-words.ts'

const root = join(import.meta.dirname, '../..')

/** Tests, benchmarks and their helpers look up what they wrote themselves. */
const isTest = /\.test\.tsx?$|\/(testing|test)-[^/]+$|\/src\/test\/|\/modules\/[\w-]+\/tests\//

/** Sources in some folders, by their path from the root. */
const sourcesIn =
  (folders: RegExp) =>
  (path: string): boolean =>
    folders.test(path.slice(root.length)) && !isTest.test(path) && !path.endsWith('/own-member.ts')

const found = [
  ...findOutsideLookups(
    join(root, 'server/tsconfig.json'),
    root,
    sourcesIn(/^\/((server|contract)\/src|modules\/[\w-]+\/(server|contract))[/.]/),
  ),
  ...findOutsideLookups(join(root, 'web/tsconfig.json'), root, sourcesIn(/^\/(web\/src|modules\/[\w-]+\/web)\//)),
]
for (const line of found) process.stderr.write(`${line}\n`)
if (found.length > 0) {
  process.stderr.write('Look up words with a Map, ownMember or Object.hasOwn: objects also have what they inherit.\n')
  process.exitCode = 1
}
