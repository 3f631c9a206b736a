import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allowedFigures, compareFigures, featureFigures, plainFigures } from './call-figures.ts'
import { danglingCitations } from './citations.ts'
import { clauseComments } from './clause-comments.ts'
import { cyclesOf } from './cycles.ts'
import { sharedTypeNames } from './exported-types.ts'
import { crowdedFolders } from './folders.ts'
import { importCounts } from './imports.ts'
import { readModules } from './modules.ts'
import { appLines, kernelLines, productLines } from './sizes.ts'
import { smallFiles } from './small-files.ts'
import { figuresOf, openTracedSite, traceOneCall } from './traced-call.ts'

/**
 * Prints what makes the tree easy or hard to read: `npm run structure`, with `-- --all` for every place. `-- --keep` measures what a
 * plain call visits and what features cost it, and writes these figures down as the most that is allowed.
 */
const root = join(import.meta.dirname, '../..')
const most = 25
const all = process.argv.includes('--all')
const print = (line: string): void => void process.stdout.write(`${line}\n`)

if (process.argv.includes('--keep')) {
  const site = await openTracedSite(root)
  const plainCall = await plainFigures(site, allowedFigures.plainCall)
  const found = { plainCall, features: await featureFigures(site, allowedFigures.features) }
  await site.close()
  const { above, below } = compareFigures(found, allowedFigures)
  for (const line of [...above, ...below]) print(line)
  writeFileSync(join(import.meta.dirname, 'call-figures.json'), `${JSON.stringify(found, null, 2)}\n`)
  process.exit(0)
}

const modules = readModules(root)
const product = modules.filter(({ path }) => /^(contract|server|web)\/src\//.test(path))
const crowded = crowdedFolders(modules, most)
const cycles = cyclesOf(product)
const sharedNames = sharedTypeNames(product)
const small = smallFiles(modules)
const clauses = clauseComments(modules)
const citations = danglingCitations(modules)
const trace = await traceOneCall(root)
const { files, functions, returns } = figuresOf(trace)
const importing = importCounts(modules)

print('| | now |')
print('|---|---|')
print(`| files visited by a plain chat call | ${files} |`)
print(`| functions entered by it, each counted once | ${functions} |`)
print(`| returns to a file already left | ${returns} |`)
print(`| lines of the product, without tests and texts | ${productLines(modules)} |`)
print(`| lines of the kernel, without tests | ${kernelLines(modules)} |`)
print(`| lines of server/src/app, without tests | ${appLines(modules)} |`)
print(`| most imports of a file, lists left out | ${importing[0]?.imports ?? 0} |`)
print(`| folders over ${most} files | ${crowded.length} |`)
print(`| circles of imports, type imports included | ${cycles.length} |`)
print(`| names under which several files export a type | ${sharedNames.length} |`)
print(`| files of the product under 25 lines | ${small.length} |`)
print(`| comments that begin with What, Who, Whose, Whether or Where | ${clauses.length} |`)
print(`| citations of documents that are not in the repository | ${citations.length} |`)

if (all) {
  for (const { path, files } of crowded) print(`folder: ${path} (${files} files)`)
  for (const { path, imports } of importing.filter(({ imports }) => imports > most))
    print(`imports: ${path} (${imports})`)
  for (const cycle of cycles) print(`circle: ${cycle.join(' ↔ ')}`)
  for (const { name, files } of sharedNames) print(`type: ${name} (${files.join(', ')})`)
  for (const { path, lines } of small) print(`short: ${path} (${lines} lines)`)
  for (const { path, line, text } of clauses) print(`comment: ${path}:${line} ${text}`)
  for (const { path, line, text } of citations) print(`citation: ${path}:${line} ${text}`)
  for (const [file, name] of trace) print(`trace: ${file} ${name}`)
}
