import { refusesChat } from '../../strict/chat.ts'
import { refusesMessages } from '../../strict/claude.ts'
import { refusesGenerate } from '../../strict/gemini.ts'
import { type Complaint, each, firstOf, isJson, type Json, list, type Seals, text } from '../../strict/model.ts'
import { refusesResponses } from '../../strict/responses.ts'

/** Checks of a request: the refusals of single providers, and faults that no provider's request may have. */

/** Signatures of clients are taken for genuine here: what is judged are the turns. */
const trusting: Seals = { issue: (thought) => thought, thoughtOf: (seal) => seal, knows: () => true }

const blank = (value: unknown): boolean => typeof value === 'string' && value.trim() === ''

/** No member that a strict provider would read as null, but for the content beside calls. */
export const nullsIn = (value: unknown, where = ''): Complaint => {
  if (value === null) return where.endsWith('.content') ? undefined : `${where} is null`
  if (Array.isArray(value)) return firstOf(...value.map((inner, at) => () => nullsIn(inner, `${where}[${at}]`)))
  if (!isJson(value)) return undefined
  return firstOf(
    ...Object.entries(value).map(
      ([name, inner]) =>
        () =>
          nullsIn(inner, `${where}.${name}`),
    ),
  )
}

const rolesAlternate = (turns: readonly Json[]): Complaint =>
  each(turns, ({ role }, at) => (turns[at + 1]?.role === role ? `two turns of ${role} at ${at}` : undefined))

/** Completions of any provider: nothing empty, and each result right behind its call. */
const chatTurns = (turns: readonly Json[], takesThoughts: boolean): Complaint => {
  const open = new Set<string>()
  return (
    each(turns, (message, at) => {
      const { role, content, tool_calls: calls } = message
      if (role === 'tool')
        return open.delete(text(message.tool_call_id)) ? undefined : `messages[${at}]: a result without its call`
      if (open.size > 0) return `messages[${at}]: calls without results: ${[...open]}`
      for (const { id } of list(calls)) {
        if (open.has(text(id))) return `messages[${at}]: two calls of one id`
        open.add(text(id))
      }
      const thought = message.reasoning_content ?? message.thinking ?? message.reasoning_details
      const isHeld = list(calls).length > 0 || (takesThoughts && thought !== undefined) || message.images !== undefined
      const isEmpty =
        content === undefined ||
        content === null ||
        content === '' ||
        (Array.isArray(content) && (content.length === 0 || list(content).some((part) => part.text === '')))
      return isEmpty && !isHeld ? `messages[${at}]: an empty turn of ${role}` : undefined
    }) ?? (open.size > 0 ? `calls without results at the end: ${[...open]}` : undefined)
  )
}

const mistralTurns = (turns: readonly Json[], takesThoughts: boolean): Complaint =>
  firstOf(
    () => chatTurns(turns, takesThoughts),
    () =>
      each(turns, ({ role }, at) =>
        role === 'system' && at > 0 && turns[at - 1]?.role !== 'system'
          ? `messages[${at}]: Unexpected role 'system' after role`
          : undefined,
      ),
    () =>
      turns.at(-1)?.role === 'assistant' && turns.at(-1)?.prefix !== true
        ? 'Expected last role User or Tool (or Assistant with prefix True)'
        : undefined,
    () =>
      each(turns, ({ role }, at) =>
        role === 'user' && turns[at - 1]?.role === 'tool'
          ? `messages[${at}]: Unexpected role 'user' after role 'tool'`
          : undefined,
      ),
  )

const blocksOf = ({ content }: Json): readonly Json[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : list(content)

const conversed = (turns: readonly Json[]): Complaint =>
  firstOf(
    () => (turns[0]?.role === 'user' ? undefined : 'A conversation must start with a user message'),
    () => rolesAlternate(turns),
    () =>
      each(turns, (turn, at) => {
        const blocks = list(turn.content)
        if (blocks.length === 0) return `messages[${at}]: empty`
        if (blocks.some((block) => blank(block.text))) return `messages[${at}]: blank text`
        const calls = blocks.flatMap(({ toolUse }) => (isJson(toolUse) ? [text(toolUse.toolUseId)] : []))
        const results = list(turns[at + 1]?.content).flatMap(({ toolResult }) =>
          isJson(toolResult) ? [text(toolResult.toolUseId)] : [],
        )
        return calls.toSorted().join() === results.toSorted().join()
          ? undefined
          : `messages[${at}]: calls ${calls}, results ${results}`
      }),
  )

const nothingEmpty = (turns: readonly Json[], partsOf: (turn: Json) => readonly Json[]): Complaint =>
  each(turns, (turn, at) => {
    const parts = partsOf(turn)
    if (parts.length === 0) return `turn ${at} is empty`
    return parts.some((part) => part.thought !== true && part.text === '' && part.thoughtSignature === undefined)
      ? `an empty text in turn ${at}`
      : undefined
  })

/** Anthropic refuses a turn of the assistant that ends in a thought. */
const endsInThought = (turns: readonly Json[]): Complaint =>
  each(turns, (turn, at) => {
    const last = turn.role === 'assistant' ? blocksOf(turn).at(-1) : undefined
    return /thinking$/.test(text(last?.type)) ? `messages.${at}: the final block cannot be \`thinking\`` : undefined
  })

export type Judge = (body: Json, model: string) => Complaint

export const judges: Readonly<Record<string, Judge>> = {
  chat: (body, model) =>
    firstOf(
      () => refusesChat(body, model),
      () => chatTurns(list(body.messages), /deepseek/.test(model)),
    ),
  others: (body) => chatTurns(list(body.messages), true),
  mistral: (body, model) => mistralTurns(list(body.messages), model.includes('/')),
  responses: (body) =>
    firstOf(
      () => refusesResponses({ ...body, store: false }, trusting, false),
      () =>
        each(list(body.input), (item, at) => {
          const isMessage = (item.type ?? 'message') === 'message'
          const isEmpty =
            isMessage && (item.content === '' || (typeof item.content !== 'string' && list(item.content).length === 0))
          return isEmpty ? `input[${at}]: an empty message` : undefined
        }),
    ),
  claude: (body, model) =>
    firstOf(
      () => refusesMessages(withoutLater(body), trusting, model),
      () => rolesAlternate(list(body.messages)),
      () => nothingEmpty(list(body.messages), blocksOf),
      () => endsInThought(list(body.messages)),
    ),
  gemini: (body, model) =>
    firstOf(
      () => refusesGenerate(begunByUser(body), trusting, model, false),
      () => rolesAlternate(list(body.contents)),
      () => nothingEmpty(list(body.contents), ({ parts }) => list(parts)),
    ),
  bedrockClaude: ({ anthropic_version: _, ...body }, model) => judges.claude?.({ ...body, model }, model),
  converse: (body) => conversed(list(body.messages)),
}

/** Instructions among the turns, which the newest Claude takes, say nothing about the turns around them. */
const withoutLater = (body: Json): Json => ({
  ...body,
  messages: list(body.messages).filter(({ role }) => role !== 'system'),
})

/** Google refuses a first turn of the model only where it calls a function. */
const begunByUser = (body: Json): Json => {
  const contents = list(body.contents)
  const [first] = contents
  const isOpen = first?.role === 'model' && !list(first.parts).some(({ functionCall }) => functionCall !== undefined)
  return isOpen ? { ...body, contents: [{ role: 'user', parts: [{ text: '-' }] }, ...contents] } : body
}
