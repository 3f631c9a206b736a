import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ErrorCode, errors } from '@tollgate/contract/errors'
import { logTemplates } from '@tollgate/contract/records/log-texts'
import { moduleData } from '../../modules/lists/data.ts'
import { moduleNames } from '../modules/lists.ts'
import { readLiterals, type SourceMessages, type SourcePair } from './literals.ts'

export const root = join(import.meta.dirname, '../..')

/** A text to translate. */
export interface SourceText {
  /** The file that holds its translations: `modules/<name>`, a feature, `components`, `shell`, `lib`, `phrases` or `errors`. */
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
  const [top, name = '', area = '', feature = ''] = path.split('/')
  if (top === 'modules') return `modules/${name}`
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
    .map(([key, { zh, en }]) => {
      const owner = Object.entries(moduleData).find(([, module]) => Object.hasOwn(module.errors, key))?.[0]
      const group = owner === undefined ? 'errors' : `modules/${owner}`
      return { group, namespace: 'errors', key, counts: false, zh, en }
    })

const phrase = (group: string, pair: SourcePair): SourceText => ({
  group,
  namespace: 'phrases',
  key: pair.en,
  counts: false,
  ...pair,
})

/**
 * Folders with texts in both sources outside of `defineMessages`: options, providers, captions of calls,
 * reasons that errors name, and cards of the start page.
 */
const phraseFolders = [
  'contract/src/options',
  'contract/src/channels',
  'server/src/backup',
  'server/src/providers',
  'server/src/dialects',
  'server/src/gateway',
  'server/src/features/channels',
  'server/src/features/third-party',
  'server/src/lib/json',
  'server/src/relay/exchange',
]

/** Folders of the screens of modules, where they have any. */
const moduleScreens = (): string[] =>
  moduleNames()
    .map((name) => `modules/${name}/web`)
    .filter((folder) => existsSync(join(root, folder)))

/** Contracts and options of modules. */
const moduleSources = (): string[] =>
  moduleNames().flatMap((name) =>
    sourceFiles(`modules/${name}`).filter((path) => !/^modules\/[\w-]+\/(server|web|tests)\//.test(path)),
  )

/** False where a place has nothing to say in either source. */
const isText = ({ zh, en }: SourceText): boolean => zh !== '' || en !== ''

/** Every text of the console in both sources. */
export const readSources = (): SourceText[] => {
  const texts: SourceText[] = []
  const phrases = new Map<string, SourceText>()
  /** A phrase of several places stands with those of the console. */
  const addPhrases = (path: string, pairs: readonly SourcePair[]): void => {
    const group = path.startsWith('modules/') ? groupOf(path) : 'phrases'
    for (const pair of pairs) {
      const known = phrases.get(pair.en)
      phrases.set(pair.en, phrase(known === undefined || known.group === group ? group : 'phrases', pair))
    }
  }
  for (const path of ['web/src', ...moduleScreens()].flatMap(sourceFiles)) {
    const source = readFileSync(join(root, path), 'utf8')
    if (!source.includes('zh:')) continue
    const found = readLiterals(path, source)
    addPhrases(path, found.pairs)
    for (const { namespace, messages } of found.messages) texts.push(...textsOf(groupOf(path), namespace, messages))
  }
  for (const path of [...phraseFolders.flatMap(sourceFiles), ...moduleSources()]) {
    const source = readFileSync(join(root, path), 'utf8')
    if (source.includes('zh:')) addPhrases(path, readLiterals(path, source).pairs)
  }
  return [...texts, ...phrases.values(), ...serverTexts()].filter(isText)
}
