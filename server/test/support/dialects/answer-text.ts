import { noUsage } from '../../../src/billing/usage.ts'
import type {
  Answer,
  AnswerChoice,
  DialectName,
  Finish,
  Part,
} from '../../../src/dialects/conversation/conversation.ts'
import { isObject, parsedJson } from '../../../src/dialects/conversation/json.ts'
import { unwrapSignature } from '../../../src/dialects/conversation/signatures.ts'

/** Contents of an answer in a form common to two dialects: parts that both can express compare as equal. */

const argumentsOf = (text: string): unknown => {
  const parsed = parsedJson(text || '{}')
  return isObject(parsed) ? parsed : { arguments: text }
}

const signatureOf = ({ signature, encrypted }: Extract<Part, { kind: 'thinking' }>): string => {
  const text = signature ?? encrypted ?? ''
  const own = unwrapSignature(text)
  return own === undefined ? text : (own.signature ?? own.encrypted ?? '')
}

type Fact = readonly [kind: string, ...words: unknown[]]

/** Free text is an argument where tools take nothing else. */
const factsOf = (part: Part, dialect: DialectName): Fact[] => {
  const isOpenai = dialect.startsWith('openai')
  switch (part.kind) {
    case 'text':
      return part.text === '' ? [] : [['text', part.text]]
    case 'refusal':
      return part.text === '' ? [] : [[isOpenai ? 'refusal' : 'text', part.text]]
    case 'thinking': {
      const signature = signatureOf(part)
      return part.text === '' && signature === '' ? [] : [['thinking', part.text, signature]]
    }
    case 'tool_call': {
      const text = part.custom && !isOpenai ? { input: part.arguments } : argumentsOf(part.arguments)
      // If calls cannot have signatures, these go before them.
      const signed = part.signature !== undefined && (dialect === 'anthropic' || dialect === 'openai-responses')
      const before: Fact[] = signed ? [['thinking', '', part.signature]] : []
      return [...before, ['call', part.id, part.name, text, isOpenai && part.custom === true]]
    }
    default:
      return []
  }
}

/** Words of one kind in a row are one; so are thoughts that nothing closed. */
const joined = (all: readonly Fact[]): Fact[] => {
  const result: Fact[] = []
  for (const [kind, ...words] of all) {
    const last = result.at(-1)
    const [text = '', signature = ''] = words as [string?, string?]
    const goesOn = last !== undefined && last[0] === kind && kind !== 'call' && (last[2] ?? '') === ''
    if (goesOn) result[result.length - 1] = [kind, `${last[1]}${text}`, ...(kind === 'thinking' ? [signature] : [])]
    else result.push([kind, ...words])
  }
  return result
}

const order = ['thinking', 'text', 'refusal', 'call']

/** Chat completions keep each kind in a place of its own. */
const arranged = (texts: readonly Fact[], dialect: DialectName): Fact[] => {
  if (dialect !== 'openai-chat') return joined(texts)
  const kinds = order.map((name) => texts.filter(([kind]) => kind === name))
  return kinds.flatMap(joined)
}

const finishOf = ({ finish, parts }: AnswerChoice, dialect: DialectName): Finish => {
  const refused = parts.some((part) => part.kind === 'refusal' && part.text !== '')
  const calls = parts.some(({ kind }) => kind === 'tool_call')
  const isClaude = dialect === 'anthropic'
  if (finish === 'refusal' || finish === 'content_filter') return isClaude ? 'refusal' : 'content_filter'
  if (calls && finish === 'stop' && isClaude) return 'tool_calls'
  if (refused && finish === 'stop' && isClaude) return 'refusal'
  if (refused && finish === 'stop' && dialect === 'gemini') return 'content_filter'
  if (isClaude || finish === 'length') return finish
  if (dialect === 'openai-chat') return finish === 'tool_calls' ? finish : 'stop'
  // Only the calls themselves tell of calls.
  return calls ? 'tool_calls' : 'stop'
}

/** Only Anthropic counts apart what is written to the cache. */
const usedBy = ({ usage = noUsage }: Answer): unknown => ({
  input: usage.input + usage.cacheWrite + usage.cacheWrite1h + usage.audioInput,
  cacheRead: usage.cacheRead,
  output: usage.output + usage.audioOutput,
})

const whole = (dialect: DialectName): number => (dialect === 'openai-chat' || dialect === 'gemini' ? Infinity : 1)

export const textOf = (answer: Answer, dialect: DialectName): unknown => ({
  choices: answer.choices
    .toSorted((a, b) => a.index - b.index)
    .slice(0, whole(dialect))
    .map((choice) => ({
      index: choice.index,
      said: arranged(
        choice.parts.flatMap((part) => factsOf(part, dialect)),
        dialect,
      ),
      finish: finishOf(choice, dialect),
    })),
  used: usedBy(answer),
})
