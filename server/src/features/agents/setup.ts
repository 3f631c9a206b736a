import type { AgentSetup, AgentText } from '@tollgate/contract'

/** A model as clients list it. */
export interface AgentModel {
  readonly name: string
  /** Tokens of prompt and answer together, and of an answer; 0 where it is not known. */
  readonly context: number
  readonly maxOutput: number
  readonly thinks: boolean
  readonly takesPictures: boolean
}

/** Facts from which the settings of a client are made. */
export interface SetupFacts {
  /** Without a slash at its end, and without `/v1`. */
  readonly address: string
  /** The key as the settings hold it. */
  readonly key: string
  /** Model that is called unless another is chosen. */
  readonly main: AgentModel
  /** All models that are offered; the main one comes first. */
  readonly models: readonly AgentModel[]
}

/** One client. */
export interface Agent extends Pick<AgentSetup, 'id' | 'name' | 'api' | 'notes'> {
  write(facts: SetupFacts): readonly AgentText[]
}

/** Name under which clients that know several providers list the site, and the variable that holds its key. */
export const providerId = 'tollgate'
export const providerName = 'Tollgate'
export const keyVariable = 'TOLLGATE_API_KEY'

/** A word of a POSIX shell, whatever it holds. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

export const exports = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}=${shellWord(value)}`)
    .join('\n')

/** A `.env` file. */
export const variables = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join('\n')

/** A string of JSON is one of TOML and of YAML, too. */
export const quoted = (text: string): string => JSON.stringify(text)

export const jsonText = (path: string, value: unknown): AgentText => ({
  path,
  language: 'json',
  text: JSON.stringify(value, null, 2),
})

export const shellText = (text: string): AgentText => ({ path: '', language: 'bash', text })

/** Fields of a client's own screen, in the words that stand there. */
export const fieldsText = (fields: Readonly<Record<string, string>>): AgentText => ({
  path: '',
  language: 'text',
  text: Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n'),
})

/** Tokens that clients are told of where nothing is known of a model: what most can do. */
export const contextOf = ({ context }: AgentModel): number => context || 128_000
export const outputOf = ({ context, maxOutput }: AgentModel): number =>
  maxOutput || Math.min(8192, Math.floor((context || 128_000) / 4))
