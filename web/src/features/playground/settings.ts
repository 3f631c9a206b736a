import { readJson, writeJson } from '../../lib/preferences/storage.ts'
import type { CallKind } from './calls/call-kinds.ts'

/** Fields that are left out of the request while they are undefined. */
export interface PlaygroundSettings {
  readonly model: string
  readonly group: string
  readonly temperature: number
  readonly max_tokens: number
  readonly system: string
  /** Further models that answer beside the first. */
  readonly compare: readonly string[]
  readonly top_p?: number | undefined
  readonly frequency_penalty?: number | undefined
  readonly presence_penalty?: number | undefined
  readonly seed?: number | undefined
  /** One per line. */
  readonly stop?: string | undefined
  readonly reasoning_effort?: string | undefined
  readonly json?: boolean | undefined
  /** The call that the person chose for the model in place of its usual one. */
  readonly kind?: CallKind | undefined
  /** Of pictures: `1024x1024`. */
  readonly size?: string | undefined
  readonly quality?: string | undefined
  /** How many pictures a call draws. */
  readonly pictures?: number | undefined
  readonly voice?: string | undefined
}

/** The defaults of the playground. */
export const defaultSettings: PlaygroundSettings = {
  model: 'gpt-4o-mini',
  group: '',
  temperature: 0,
  max_tokens: 0,
  // Every token of it would be sent and billed with each question.
  system: '',
  compare: [],
}

/** The system prompt of the preset for an assistant. */
export const assistantPrompt =
  'You are a helpful assistant. You can help me by answering my questions. You can also ask me questions.'

/** A system prompt with a name. */
export interface PromptPreset {
  readonly name: string
  readonly system: string
}

/** The playground's stored state beside its conversations. */
export interface StoredPlayground {
  readonly settings: PlaygroundSettings
  readonly presets: readonly PromptPreset[]
  /** The conversation that was open. */
  readonly open?: string | undefined
}

const nothing: StoredPlayground = { settings: defaultSettings, presets: [] }

/** Reads the user's state in this browser; another user's state is ignored. */
export const readKept = (userId: number): StoredPlayground => {
  const stored = readJson('playground') as (Partial<StoredPlayground> & { user?: number }) | undefined
  if (typeof stored !== 'object' || stored === null || stored.user !== userId) return nothing
  return {
    settings: { ...defaultSettings, ...stored.settings },
    presets: Array.isArray(stored.presets) ? stored.presets : [],
    open: stored.open,
  }
}

export const writeKept = (userId: number, kept: StoredPlayground): void =>
  writeJson('playground', { user: userId, ...kept })
