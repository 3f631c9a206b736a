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

/** `predict`, `titan`, `sound` and `drawn` are answers that have no conversation: vectors, sound, pictures. */
export type UsageDialect =
  | 'openai'
  | 'responses-tools'
  | 'anthropic'
  | 'gemini'
  | 'bedrock'
  | 'cohere'
  | 'ollama'
  | 'predict'
  | 'titan'
  | 'sound'
  | 'drawn'

export type UnknownKind = 'usage' | 'cache' | 'geo' | 'tool' | 'tier'
