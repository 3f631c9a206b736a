import type { IncomingHttpHeaders } from 'node:http'
import { modelEntry } from '../../providers/model-entry.ts'
import type { Caller, ChannelSnapshot } from '../../relay/ports.ts'
import type { ErrorFormat } from '../routes.ts'

/** Names of the models that a caller may use: its token's, or all of its group. */
export const modelsOf = ({ modelLimits, group }: Caller, snapshot: ChannelSnapshot): readonly string[] =>
  modelLimits === undefined ? snapshot.modelsOf(group) : [...modelLimits].sort()

/** Clients of three dialects ask at the same address; their headers tell them apart. */
export const askingDialect = (dialect: ErrorFormat, headers: IncomingHttpHeaders): ErrorFormat => {
  if (dialect !== 'openai') return dialect
  if (headers['anthropic-version'] !== undefined) return 'anthropic'
  return headers['x-goog-api-key'] === undefined ? 'openai' : 'gemini'
}

const created = '2021-07-20T00:00:00Z'

const anthropicEntry = (id: string): object => ({ type: 'model', id, display_name: id, created_at: created })

const geminiEntry = (name: string): object => ({
  name: `models/${name}`,
  baseModelId: name,
  version: '1',
  displayName: name,
  supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
})

const entryOf = (dialect: ErrorFormat, name: string): object => {
  if (dialect === 'anthropic') return anthropicEntry(name)
  return dialect === 'gemini' ? geminiEntry(name) : modelEntry(name)
}

/** One model in the shape of the asking dialect. */
export const printModel = (dialect: ErrorFormat, name: string): string => JSON.stringify(entryOf(dialect, name))

/** The whole list, in one page (docs.anthropic.com/en/api/models-list; ai.google.dev/api/models). */
export const printModels = (dialect: ErrorFormat, names: readonly string[]): string => {
  const entries = names.map((name) => entryOf(dialect, name))
  if (dialect === 'gemini') return JSON.stringify({ models: entries })
  if (dialect === 'anthropic') {
    const ends = { first_id: names[0] ?? null, last_id: names.at(-1) ?? null }
    return JSON.stringify({ data: entries, has_more: false, ...ends })
  }
  return JSON.stringify({ object: 'list', success: true, data: entries })
}
