/** A model that acts out a script: what it thinks, says and calls, turn by turn, whoever asks in whatever words. */

export interface ScriptedCall {
  readonly name: string
  /** Free text for tools that take it. */
  readonly input: Readonly<Record<string, unknown>> | string
}

export interface Step {
  readonly thought?: string
  readonly text?: string
  readonly calls: readonly ScriptedCall[]
}

/** Two files are read at once, one is changed, and the work is told; then somebody asks again. */
export const steps = (change: ScriptedCall): readonly Step[] => [
  {
    thought: 'I have to look at both files — 両方。',
    text: 'Let me look.',
    calls: [
      { name: 'read_file', input: { path: 'src/a.ts' } },
      { name: 'read_file', input: { path: 'src/b.ts', lines: [1, 20] } },
    ],
  },
  { thought: 'Only b.ts has to change.', calls: [change] },
  { thought: 'That is all.', text: 'Done: “b.ts” is fixed.', calls: [] },
  { thought: 'One more look.', calls: [{ name: 'read_file', input: { path: 'README.md' } }] },
  { text: 'Nothing else is to do.', calls: [] },
]

export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const list = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? (value as unknown[]).filter(isJson) : []
export const objectAt = (value: Json, name: string): Json => {
  const member = value[name]
  return isJson(member) ? member : {}
}
export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The first complaint of a list, as a provider would refuse. */
export type Complaint = string | undefined

export const unknownMembers = (value: Json, allowed: readonly string[], where: string): Complaint => {
  const odd = Object.keys(value).find((name) => !allowed.includes(name))
  return odd === undefined ? undefined : `${where}${odd}: Extra inputs are not permitted`
}

export const firstOf = (...checks: readonly (() => Complaint)[]): Complaint => {
  for (const check of checks) {
    const complaint = check()
    if (complaint !== undefined) return complaint
  }
  return undefined
}

export const each = (values: readonly Json[], check: (value: Json, at: number) => Complaint): Complaint => {
  for (const [at, value] of values.entries()) {
    const complaint = check(value, at)
    if (complaint !== undefined) return complaint
  }
  return undefined
}

/** Signatures that a provider has given, and the thoughts that they belong to. */
export interface Seals {
  /** A new one for this thought. */
  issue(thought: string): string
  /** The thought of a signature; undefined when it is not genuine. */
  thoughtOf(seal: string): string | undefined
  /** True if such a thought was signed. */
  knows(thought: string): boolean
}

/** One maker cannot read another's. */
export const openSeals = (maker: string): Seals => {
  const issued = new Map<string, string>()
  return {
    issue(thought) {
      const seal = Buffer.from(`${maker} ${issued.size + 1} ${thought}`).toString('base64')
      issued.set(seal, thought)
      return seal
    },
    thoughtOf: (seal) => issued.get(seal),
    knows: (thought) => [...issued.values()].includes(thought),
  }
}

/** Usage of an answer: different for every answer. */
export interface Tokens {
  /** Of the prompt, without what was cached. */
  readonly input: number
  readonly cached: number
  /** With what was thought. */
  readonly output: number
  readonly thought: number
}

export const tokensOf = (answer: number): Tokens => ({
  input: 100 + answer,
  cached: 40,
  output: 20 + answer,
  thought: 5,
})

/** Contents of a request in words that all dialects share. */
export interface ReceivedRequest {
  readonly system: string
  /** Texts of the user. */
  readonly userTexts: readonly string[]
  readonly assistantTexts: readonly string[]
  /** Thoughts that came back as their maker has signed them. */
  readonly thoughts: readonly string[]
  readonly calls: readonly ReceivedCall[]
  readonly results: readonly ReceivedResult[]
  readonly tools: readonly { readonly name: string; readonly schema: unknown }[]
  /** Pictures, wherever they stand. */
  readonly pictures: number
}

export interface ReceivedCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

export interface ReceivedResult {
  /** Of the call. */
  readonly id: string
  readonly text: string
}

export const picturesIn = (body: Json): number => (JSON.stringify(body).match(/iVBORw0KGgo/g) ?? []).length

/** JSON schemas of tools as providers want them: an object, without a choice at the top, and lists that say of what. */
export const checkSchema = (schema: unknown, where: string): Complaint => {
  if (!isJson(schema) || schema.type !== 'object') return `${where}: schema must be a JSON Schema of 'type: "object"'`
  const odd = ['oneOf', 'anyOf', 'allOf', 'not', 'enum'].find((name) => schema[name] !== undefined)
  if (odd !== undefined) return `${where}: schema must not have '${odd}' at the top level`
  return checkLists(schema, where)
}

const checkLists = (schema: Json, where: string): Complaint => {
  if (schema.type === 'array' && !isJson(schema.items)) return `${where}: array schema missing items`
  const inner = [...Object.values(objectAt(schema, 'properties')), schema.items].filter(isJson)
  return each(inner, (one, at) => checkLists(one, `${where}.${at}`))
}

/** The provider streams as it likes: here every letter, whatever its length. */
export const letters = (text: string): string[] => [...text]
