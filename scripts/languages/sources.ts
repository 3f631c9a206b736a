import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ErrorCode, errors } from '@tollgate/contract/errors'
import { logTemplates } from '@tollgate/contract/records/log-texts'
import { readLiterals, type SourceMessages, type SourcePair } from './literals.ts'

export const root = join(import.meta.dirname, '../..')

/** A text to translate. */
export interface SourceText {
  /** File of the further languages that holds it: a feature, `components`, `shell`, `lib`, `phrases` or `errors`. */
  readonly group: string
  readonly namespace: string
  /** Key without the ending of a plural form. */
  readonly key: string
  /** True where English has plural forms. */
  readonly counts: boolean
  readonly zh: string
  /** The form for many, where there are several. */
  readonly en: string
}

const sourceFiles = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|testing-|^test\//.test(path))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .toSorted()

const groupOf = (path: string): string => {
  const [, , area = '', feature = ''] = path.split('/')
  return area === 'features' ? feature : area
}

/** Chinese has each key once; English has `_one` and `_other` in place of the key where a text counts. */
const textsOf = (group: string, namespace: string, { zh, en }: SourceMessages): SourceText[] =>
  Object.entries(zh).map(([key, text]) => {
    const forMany = en[key] === undefined ? en[`${key}_other`] : undefined
    return { group, namespace, key, counts: forMany !== undefined, zh: text, en: forMany ?? en[key] ?? '' }
  })

/**
 * Errors that are shown as the server wrote them, in Chinese or English, because their parameters are made of several of the
 * server's words: a translation around them would mix languages.
 */
const serverWritten: ReadonlySet<string> = new Set<ErrorCode>([
  'limit_used_up',
  'rate_limit_exceeded',
  'session_limit_reached',
  'spend_cap_reached',
])

/** True for a text that is nothing but what an upstream, a provider or the check of a request says. */
const isQuote = (en: string): boolean => /^\{\w+(?<!_en)\}$/.test(en)

/** The server's errors, and the sentences that it writes into the log, by their codes. */
const serverTexts = (): SourceText[] =>
  [...Object.entries(errors), ...Object.entries(logTemplates)]
    .filter(([key, { en }]) => !serverWritten.has(key) && !isQuote(en))
    .map(([key, { zh, en }]) => ({ group: 'errors', namespace: 'errors', key, counts: false, zh, en }))

const phrase = (pair: SourcePair): SourceText => ({
  group: 'phrases',
  namespace: 'phrases',
  key: pair.en,
  counts: false,
  ...pair,
})

/**
 * Folders with texts in both sources outside of `defineMessages`: options, providers, notes of imports, captions of calls,
 * and reasons that errors name.
 */
const phraseFolders = [
  'contract/src/options',
  'contract/src/channels',
  'contract/src/site-imports',
  'server/src/providers',
  'server/src/dialects',
  'server/src/gateway',
  'server/src/features/channels',
  'server/src/features/third-party',
  'server/src/lib/json',
  'server/src/relay/exchange',
]

/** False where a place has nothing to say in either source. */
const isText = ({ zh, en }: SourceText): boolean => zh !== '' || en !== ''

/** Every text of the console in both sources. */
export const readSources = (): SourceText[] => {
  const texts: SourceText[] = []
  const pairs: SourcePair[] = []
  for (const path of sourceFiles('web/src')) {
    const source = readFileSync(join(root, path), 'utf8')
    if (!source.includes('zh:')) continue
    const found = readLiterals(path, source)
    pairs.push(...found.pairs)
    for (const { namespace, messages } of found.messages) texts.push(...textsOf(groupOf(path), namespace, messages))
  }
  for (const path of phraseFolders.flatMap(sourceFiles)) {
    const source = readFileSync(join(root, path), 'utf8')
    if (source.includes('zh:')) pairs.push(...readLiterals(path, source).pairs)
  }
  const phrases = new Map(pairs.map((pair) => [pair.en, phrase(pair)]))
  return [...texts, ...phrases.values(), ...serverTexts()].filter(isText)
}
