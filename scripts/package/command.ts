import { join, resolve } from 'node:path'
import { buildIfStale } from '../build-if-stale.ts'
import { writePackage } from './write-package.ts'

/**
 * `npm run package [folder]`: writes one file, `tollgate-<version>.tgz`, that `npx` and `npm install` take, with server, console and
 * commands; prints its path.
 */
buildIfStale()
const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../..'))
process.stdout.write(`${writePackage(folder)}\n`)
