import type { Adjustment, Ask } from '../provider.ts'

const effortSuffix = /-(high|medium|low)$/

const isChat = (path: string): boolean => path.endsWith('/chat/completions')

/** `max_tokens` becomes `max_completion_tokens` unless that is there already. */
const movedLimit = (body: Ask['body']): Record<string, unknown> => {
  if (!body.max_tokens) return {}
  return body.max_completion_tokens
    ? { max_tokens: undefined }
    : { max_tokens: undefined, max_completion_tokens: body.max_tokens }
}

const effortOf = (ask: Ask): { model?: string; effort?: string; members: Record<string, unknown> } => {
  const [, suffix] = effortSuffix.exec(ask.model) ?? []
  if (suffix !== undefined) {
    return { model: ask.model.replace(effortSuffix, ''), effort: suffix, members: { reasoning_effort: suffix } }
  }
  const asked = ask.body.reasoning_effort
  return typeof asked === 'string' && asked !== '' ? { effort: asked, members: {} } : { members: {} }
}

const firstRoleIs = (body: Ask['body'], role: string): boolean => {
  const [first] = Array.isArray(body.messages) ? (body.messages as unknown[]) : []
  return typeof first === 'object' && first !== null && 'role' in first && first.role === role
}

const takesDeveloper = (model: string): boolean => model === 'o1' || model === 'o1-2024-12-17' || model.startsWith('o3')

/** How OpenAI's o1 and o3 models want to be asked (relay reference §12). */
export const openaiReasoning = (ask: Ask): Adjustment | undefined => {
  if (!isChat(ask.path) || !(ask.model.startsWith('o1') || ask.model.startsWith('o3'))) return undefined
  const { members, ...effort } = effortOf(ask)
  const developer = takesDeveloper(effort.model ?? ask.model) && firstRoleIs(ask.body, 'system')
  return {
    ...effort,
    members: { ...movedLimit(ask.body), temperature: undefined, ...members },
    ...(developer ? { firstRole: 'developer' } : {}),
  }
}

/** The same for xAI's grok-3-mini, which takes a temperature. */
export const grokReasoning = (ask: Ask): Adjustment | undefined => {
  if (!isChat(ask.path) || !ask.model.startsWith('grok-3-mini')) return undefined
  const { members, ...effort } = effortOf(ask)
  return { ...effort, members: { ...movedLimit(ask.body), ...members } }
}
