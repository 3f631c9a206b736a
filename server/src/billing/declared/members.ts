import { ownMember } from '@tollgate/contract/own-member'
import type { Meaning, MemberMeanings, UnknownKind, UsageDialect } from './meanings.ts'
import json from './members.json' with { type: 'json' }
import { declaredPlaces } from './places.ts'

/** Members as `members.json` states them; a test checks the whole file. */
interface StatedMembers {
  /** Names of parts, by the member below which they stand; the empty name is the usage itself. */
  readonly includes?: Readonly<Record<string, readonly string[]>>
  readonly members: Readonly<Record<string, string>>
}

interface DialectMembers extends StatedMembers {
  /** Names the providers that report them; one reader reads the dialect of all of them. */
  readonly by: string
}

/** The file, whose own type names each of its members. */
const file: unknown = json
const { parts, dialects } = file as {
  readonly parts: Readonly<Record<string, StatedMembers>>
  readonly dialects: Readonly<Record<UsageDialect, readonly DialectMembers[]>>
}

const isMeaning = (text: string): text is Meaning => /^(?:(?:billed as|part of) .+|informative)$/.test(text)

const meaningOf = (text: string): Meaning => {
  if (!isMeaning(text)) throw new Error(`members.json: ${text} is no meaning`)
  return text
}

const partNamed = (name: string): StatedMembers => {
  const part = ownMember(parts, name)
  if (part === undefined) throw new Error(`members.json: there is no part ${name}`)
  return part
}

const entriesOf = ({ includes = {}, members }: StatedMembers, before = ''): (readonly [string, Meaning])[] => [
  ...Object.entries(members).map(([path, meaning]) => [before + path, meaningOf(meaning)] as const),
  ...Object.entries(includes).flatMap(([below, names]) =>
    names.flatMap((name) => entriesOf(partNamed(name), below === '' ? before : `${before}${below}.`)),
  ),
]

/** Members of one dialect's usage, by the providers that report them. */
type DeclaredMembers = readonly { readonly by: string; readonly members: MemberMeanings }[]

const declared = (dialect: UsageDialect): DeclaredMembers =>
  dialects[dialect].map(({ by, ...stated }) => ({ by, members: Object.fromEntries(entriesOf(stated)) }))

/** All declared members by dialect. */
export const declaredMembers: Readonly<Record<UsageDialect, DeclaredMembers>> = {
  openai: declared('openai'),
  'responses-tools': declared('responses-tools'),
  anthropic: declared('anthropic'),
  gemini: declared('gemini'),
  bedrock: declared('bedrock'),
  cohere: declared('cohere'),
  ollama: declared('ollama'),
  predict: declared('predict'),
  titan: declared('titan'),
  sound: declared('sound'),
  drawn: declared('drawn'),
}

/** Members whose value chooses a price, with the values that are understood. `count` is the member beside it that holds the tokens. */
export interface DeclaredValues {
  readonly kind: UnknownKind
  readonly known: readonly unknown[]
  readonly count?: string
}

const modalities: DeclaredValues = {
  kind: 'usage',
  known: ['TEXT', 'IMAGE', 'AUDIO', 'VIDEO', 'DOCUMENT', 'MODALITY_UNSPECIFIED'],
  count: 'tokenCount',
}

/** platform.claude.com/docs/en/build-with-claude/data-residency: `us` asks 1.1 times, the others the price of everywhere. */
const places: DeclaredValues = { kind: 'geo', known: declaredPlaces }

const anthropicValues: Readonly<Record<string, DeclaredValues>> = {
  inference_geo: places,
  'iterations.inference_geo': places,
}

export const declaredValues: Readonly<Record<UsageDialect, Readonly<Record<string, DeclaredValues>>>> = {
  openai: {
    ...anthropicValues,
    search_context_size: { kind: 'tool', known: ['low', 'medium', 'high'] },
    'prompt_tokens_details.cache_type': { kind: 'cache', known: ['ephemeral', 'implicit', 'explicit', 'session'] },
  },
  'responses-tools': {},
  anthropic: anthropicValues,
  gemini: {
    'promptTokensDetails.modality': modalities,
    'candidatesTokensDetails.modality': modalities,
    'responseTokensDetails.modality': modalities,
    'cacheTokensDetails.modality': modalities,
    'toolUsePromptTokensDetails.modality': modalities,
  },
  bedrock: { 'cacheDetails.ttl': { kind: 'cache', known: ['5m', '1h'], count: 'inputTokens' } },
  cohere: {},
  ollama: {},
  predict: {},
  titan: {},
  sound: {},
  drawn: {},
}
