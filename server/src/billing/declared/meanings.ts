/**
 * Every member of the usage objects that providers report, declared once. A path joins names by dots; members of lists have the path of
 * their list, and `.*` stands for everything below a member.
 *
 * - `billed as …`: the member is what a price is multiplied with, or chooses a price.
 * - `part of …`: another member contains the count, which is billed there, or by its kind.
 * - `informative`: no price depends on it.
 *
 * A member that is not here and not zero marks its call, which is then charged provisionally.
 */
export type Meaning = `billed as ${string}` | `part of ${string}` | 'informative'

export type MemberMeanings = Readonly<Record<string, Meaning>>

/** Members of one dialect's usage. `by` names the providers that report them; one reader reads the dialect of all of them. */
export interface DeclaredMembers {
  readonly by: string
  readonly members: MemberMeanings
}

/** Dialects of answers that have no conversation: vectors, pictures, sound. */
export type MediaDialect = 'predict' | 'titan' | 'sound' | 'drawn'

export type UsageDialect =
  | 'openai'
  | 'responses-tools'
  | 'anthropic'
  | 'gemini'
  | 'bedrock'
  | 'cohere'
  | 'ollama'
  | MediaDialect

export type UnknownKind = 'usage' | 'cache' | 'geo' | 'tool' | 'tier'

/** Declarations with their paths below a parent member. */
export const below = (parent: string, members: MemberMeanings): MemberMeanings =>
  Object.fromEntries(Object.entries(members).map(([path, meaning]) => [`${parent}.${path}`, meaning]))

/** The same meaning for several members of a parent. */
export const allOf = (parent: string, meaning: Meaning, names: readonly string[]): MemberMeanings =>
  Object.fromEntries(names.map((name) => [`${parent}.${name}`, meaning]))
