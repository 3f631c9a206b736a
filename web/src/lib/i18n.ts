import { ownMember } from '@tollgate/contract/own-member'
import { readText, writeText } from './preferences/storage.ts'
import { createStore, useStore } from './preferences/store.ts'

export type Language = 'zh' | 'en'
export const languages: readonly { value: Language; label: string; short: string }[] = [
  { value: 'zh', label: '中文', short: '中' },
  { value: 'en', label: 'English', short: 'EN' },
]

type Words = Readonly<Record<string, string>>

/** A feature's messages. Chinese is the source and the fallback; English has the same keys, plurals as `_one` and `_other`. */
export interface Messages {
  readonly zh: Words
  readonly en: Words
}

type MissingEnglish<Z, E> = {
  [K in keyof Z & string]: K extends keyof E ? never : `${K}_other` extends keyof E ? never : K
}[keyof Z & string]

type Values = Readonly<Record<string, string | number>>
export type Say<Key extends string> = (key: Key, values?: Values) => string

/** A tag such as `zh-CN` of an older console counts as its language. */
const languageOf = (tag: string | null | undefined): Language => (tag?.toLowerCase().startsWith('en') ? 'en' : 'zh')

const languageStore = createStore<Language>(languageOf(readText('i18nextLng') ?? globalThis.navigator?.language))

const namespaces = new Map<string, Messages>()

const plurals: Readonly<Record<Language, Intl.PluralRules>> = {
  zh: new Intl.PluralRules('zh'),
  en: new Intl.PluralRules('en'),
}

/** The text of a key; a text with a count may have plural forms, such as `made_one`. */
const textOf = (texts: Words, language: Language, key: string, count: unknown): string | undefined =>
  (typeof count === 'number' ? ownMember(texts, `${key}_${plurals[language].select(count)}`) : undefined) ??
  ownMember(texts, key)

/** Returns the text of a key with its placeholders filled once: a value is never read as a placeholder. */
const translate = (messages: Messages, language: Language, key: string, values: Values = {}): string => {
  const text =
    textOf(messages[language], language, key, values.count) ?? textOf(messages.zh, 'zh', key, values.count) ?? key
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(ownMember(values, name) ?? ''))
}

/**
 * Registers a feature's messages under a namespace and returns the hook that gives them. English keys that are missing do
 * not compile. `defineMessages('tokens', {...})` → `const say = useMessages()` → `say('created', { count: 3 })`.
 */
export const defineMessages = <const Z extends Words, const E extends Words>(
  namespace: string,
  messages: {
    zh: Z
    en: E
  } & ([MissingEnglish<Z, E>] extends [never] ? unknown : { missing_in_english: MissingEnglish<Z, E> }),
): {
  (): Say<keyof Z & string>
  say: Say<keyof Z & string>
  /** True for keys that have a text; for keys that are built from a server's answer or an address. */
  has(key: string): key is keyof Z & string
  messages: Messages
} => {
  namespaces.set(namespace, messages)
  // One function per language: memoized texts are computed again only when the language changes.
  const sayIn: Readonly<Record<Language, Say<keyof Z & string>>> = {
    zh: (key, values) => translate(messages, 'zh', key, values),
    en: (key, values) => translate(messages, 'en', key, values),
  }
  const useMessages = (): Say<keyof Z & string> => sayIn[useStore(languageStore)]
  /** For code outside components, in the language of the moment. */
  const say: Say<keyof Z & string> = (key, values) => sayIn[currentLanguage()](key, values)
  const has = (key: string): key is keyof Z & string => Object.hasOwn(messages.zh, key)
  return Object.assign(useMessages, { say, has, messages })
}

/** Every namespace registered so far; the key test reads it. */
export const registeredMessages = (): ReadonlyMap<string, Messages> => namespaces

export const currentLanguage = (): Language => languageStore.get()

export const setLanguage = (language: Language): void => {
  writeText('i18nextLng', language)
  document.documentElement.lang = language
  languageStore.set(language)
}

export const useLanguage = (): Language => useStore(languageStore)
