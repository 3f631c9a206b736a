import { readJson, writeJson } from '../../lib/preferences/storage.ts'
import type { CallKind } from './calls/call-kinds.ts'

/** Fields that are left out of the request while they are undefined. */
export interface Settings {
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
export const defaultSettings: Settings = {
  model: 'gpt-4o-mini',
  group: '',
  temperature: 0,
  max_tokens: 0,
  system: 'You are a helpful assistant. You can help me by answering my questions. You can also ask me questions.',
  compare: [],
}

/** A system prompt with a name. */
export interface Preset {
  readonly name: string
  readonly system: string
}

/** The playground's stored state beside its conversations. */
export interface Kept {
  readonly settings: Settings
  readonly presets: readonly Preset[]
  /** The conversation that was open. */
  readonly open?: string | undefined
}

const nothing: Kept = { settings: defaultSettings, presets: [] }

/** Reads the user's state in this browser; another user's state is ignored. */
export const readKept = (userId: number): Kept => {
  const stored = readJson('playground') as (Partial<Kept> & { user?: number }) | undefined
  if (typeof stored !== 'object' || stored === null || stored.user !== userId) return nothing
  return {
    settings: { ...defaultSettings, ...stored.settings },
    presets: Array.isArray(stored.presets) ? stored.presets : [],
    open: stored.open,
  }
}

export const writeKept = (userId: number, kept: Kept): void => writeJson('playground', { user: userId, ...kept })
