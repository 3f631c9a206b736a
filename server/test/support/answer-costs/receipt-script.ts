import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const docs = join(import.meta.dirname, '../../../../docs/receipts.md')

/** The script of the documentation with which customers check receipts. */
export const receiptScript = async (): Promise<string> => {
  const [, text = ''] = /```js\n(.*?)```/s.exec(await readFile(docs, 'utf8')) ?? []
  return text
}

/**
 * A module of the script's own lines with `judge(given, known)`, which throws for a receipt (its bytes) that is not good, so that one
 * process judges many. `known` are the keys of the site.
 */
export const receiptJudge = async (): Promise<string> => {
  const source = (await receiptScript())
    .replace(/^const \[file, site\].*$/m, '')
    .replace('readFileSync(file)', 'given')
    .replace(/await \(await fetch\(.*?\)\)\.json\(\)/, '{ keys: known }')
    .replace(/^console\.log.*$/m, '')
    .replace(/^import \{ readFileSync.*$/m, '')
  const imports = source.split('\n').filter((line) => line.startsWith('import '))
  const body = source.split('\n').filter((line) => !line.startsWith('import '))
  return `${imports.join('\n')}\nexport const judge = (given, known) => {\n${body.join('\n')}\n}\n`
}
