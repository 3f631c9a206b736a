import { ownMember } from '@tollgate/contract/own-member'
import { type FurtherLanguage, isFurtherLanguage, loadTexts } from '../languages/languages.ts'
import type { Texts } from '../languages/texts.ts'
import { readText, writeText } from './preferences/storage.ts'
import { createStore, useStore } from './preferences/store.ts'

/** The languages that every text is written in, beside its feature. */
export type SourceLanguage = 'zh' | 'en'
/** All languages of the console; texts of those that are no source stand in `web/src/languages`. */
export type ConsoleLanguage = SourceLanguage | FurtherLanguage
/** A text that stands outside of a feature's messages, in both sources. */
export type Pair = Readonly<Record<SourceLanguage, string>>

export const languages: readonly { value: ConsoleLanguage; label: string; short: string }[] = [
  { value: 'zh', label: '简体中文', short: '中' },
  { value: 'zh-TW', label: '繁體中文', short: '繁' },
  { value: 'en', label: 'English', short: 'EN' },
  { value: 'fr', label: 'Français', short: 'FR' },
  { value: 'ja', label: '日本語', short: '日' },
  { value: 'ru', label: 'Русский', short: 'RU' },
  { value: 'vi', label: 'Tiếng Việt', short: 'VI' },
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

/** The language of a tag such as `zh-CN`, `zh-Hant-HK` or `fr-CA`; Chinese for all others. */
export const languageOf = (tag: string | null | undefined): ConsoleLanguage => {
  const parts = tag?.toLowerCase().split(/[-_]/) ?? []
  if (parts[0] === 'zh' && !parts.includes('hans'))
    return parts.some((part) => /^(hant|tw|hk|mo)$/.test(part)) ? 'zh-TW' : 'zh'
  return languages.find(({ value }) => value === parts[0])?.value ?? 'zh'
}

/** The source that a reader of this language gets where a text is not translated. */
export const sourceOf = (language: ConsoleLanguage): SourceLanguage =>
  language === 'zh' || language === 'zh-TW' ? 'zh' : 'en'

/** The language of formats by Intl. */
export const localeOf = (language: ConsoleLanguage): string =>
  language === 'zh' ? 'zh-CN' : language === 'en' ? 'en-US' : language

const languageStore = createStore<ConsoleLanguage>(languageOf(readText('i18nextLng') ?? globalThis.navigator?.language))

/** Texts of the further languages that were loaded. */
const loaded = new Map<ConsoleLanguage, Texts>()

const namespaces = new Map<string, Messages>()

const plurals = new Map<ConsoleLanguage, Intl.PluralRules>()
const pluralOf = (language: ConsoleLanguage, count: number): string => {
  const rules = plurals.get(language) ?? new Intl.PluralRules(language)
  plurals.set(language, rules)
  return rules.select(count)
}

/** The text of a key; a text with a count may have plural forms, such as `made_one`. */
const textOf = (texts: Words, language: ConsoleLanguage, key: string, count: unknown): string | undefined =>
  (typeof count === 'number'
    ? (ownMember(texts, `${key}_${pluralOf(language, count)}`) ?? ownMember(texts, `${key}_other`))
    : undefined) ?? ownMember(texts, key)

const loadedText = (language: ConsoleLanguage, namespace: string, key: string, count?: unknown): string | undefined => {
  const texts = loaded.get(language)
  const words = texts && ownMember(texts, namespace)
  return words && textOf(words, language, key, count)
}

/** Returns the text of a key with its placeholders filled once: a value is never read as a placeholder. */
const translate = (
  { namespace, messages }: { readonly namespace: string; readonly messages: Messages },
  language: ConsoleLanguage,
  key: string,
  values: Values = {},
): string => {
  const source = sourceOf(language)
  const text =
    loadedText(language, namespace, key, values.count) ??
    textOf(messages[source], source, key, values.count) ??
    textOf(messages.zh, 'zh', key, values.count) ??
    key
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(ownMember(values, name) ?? ''))
}

/** A pair of texts in a language; the further languages find it by its English text. */
export const textIn = (pair: Pair, language: ConsoleLanguage): string =>
  loadedText(language, 'phrases', pair.en) ?? pair[sourceOf(language)]

/**
 * A parameter of an error as a reader sees it; undefined where a text of the server's own has no translation. `x_en` is the
 * English of `x`: where both are the same, it is a name or somebody else's text.
 */
const parameterIn = (language: ConsoleLanguage, params: Values, name: string): string | number | undefined => {
  const value = ownMember(params, name)
  if (typeof value !== 'string' || !name.endsWith('_en')) return value
  const chinese = ownMember(params, name.slice(0, -'_en'.length))
  return String(chinese).trim() === value ? value : loadedText(language, 'phrases', value)
}

/**
 * The message of a server's error in the reader's language, by its code and parameters; as the server wrote it where there
 * is no translation, or a parameter that it names is missing.
 */
export const errorIn = (code: string, message: string, params: Values = {}): string => {
  const language = currentLanguage()
  const text = loadedText(language, 'errors', code)
  if (text === undefined) return message
  let isWhole = true
  const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameterIn(language, params, name)
    isWhole &&= value !== undefined
    return String(value)
  })
  return isWhole ? filled : message
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
  const texts = { namespace, messages }
  namespaces.set(namespace, messages)
  // One function per language: memoized texts are computed again only when the language changes.
  const made = new Map<ConsoleLanguage, Say<keyof Z & string>>()
  const sayIn = (language: ConsoleLanguage): Say<keyof Z & string> => {
    const cached = made.get(language)
    if (cached) return cached
    const fresh: Say<keyof Z & string> = (key, values) => translate(texts, language, key, values)
    made.set(language, fresh)
    return fresh
  }
  const useMessages = (): Say<keyof Z & string> => sayIn(useStore(languageStore))
  /** For code outside components, in the language of the moment. */
  const say: Say<keyof Z & string> = (key, values) => sayIn(currentLanguage())(key, values)
  const has = (key: string): key is keyof Z & string => Object.hasOwn(messages.zh, key)
  return Object.assign(useMessages, { say, has, messages })
}

/** Every namespace registered so far; the key test reads it. */
export const registeredMessages = (): ReadonlyMap<string, Messages> => namespaces

export const currentLanguage = (): ConsoleLanguage => languageStore.get()

/**
 * Loads the texts of a language; those of the sources come with each feature. A language whose texts cannot be loaded is
 * shown in its source.
 */
export const loadLanguage = async (language: ConsoleLanguage): Promise<void> => {
  if (!isFurtherLanguage(language) || loaded.has(language)) return
  const texts = await loadTexts(language).catch(() => undefined)
  if (texts) loaded.set(language, texts)
}

const showLanguage = (language: ConsoleLanguage): void => {
  document.documentElement.lang = language
  languageStore.set(language)
}

/** Changes the language: at once where its texts are here, else as soon as they are. */
export const setLanguage = (language: ConsoleLanguage): void => {
  writeText('i18nextLng', language)
  if (!isFurtherLanguage(language) || loaded.has(language)) {
    showLanguage(language)
    return
  }
  void loadLanguage(language).then(() => {
    // Another language may have been chosen meanwhile.
    if (languageOf(readText('i18nextLng') ?? language) === language) showLanguage(language)
  })
}

export const useLanguage = (): ConsoleLanguage => useStore(languageStore)
